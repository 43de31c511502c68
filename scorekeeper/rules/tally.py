"""A round, counted: what each seat has and has formed, before anything is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.game import Game, Rules
from scorekeeper.rules.pile import Pile
from scorekeeper.rules.sentence import Name, RuleError, Sentence, say
from scorekeeper.rules.yaku import DEKIYAKU, SPECIAL, TEYAKU, Yaku


@dataclass(slots=True)
class Formed:
    """A yaku that somebody showed or formed; ``void`` says why it is not paid, where it is not.

    ``extra`` is how much its ``value`` has of what its yaku pays for each beyond it.
    """

    yaku: Yaku
    times: int
    value: int
    void: Sentence | None = None
    extra: int = 0


Claims = Mapping[str, int]
"""What was claimed: keys of yaku, and how often."""

BEST_ALONE = {
    TEYAKU: say("only the best teyaku counts"),
    DEKIYAKU: say("only the best dekiyaku counts"),
    SPECIAL: say("only the best special yaku counts"),
}


def find(
    among: Iterable[Yaku], seat: int, name: Name, pile: Pile | None, claims: Claims | None
) -> list[Formed]:
    """The yaku that are formed in a captured pile or, failing knowledge, claimed.

    Raises ``yaku_not_formed`` for a claim that the pile contradicts, ``needs_counts`` and
    ``needs_cards`` where what is known of the pile does not settle what the yaku is worth.
    """
    found = []
    for yaku in among:
        seen = None if pile is None else yaku.pattern(pile)
        if seen == 0 and claims is None:
            continue
        formed = _compare(yaku, seen, seat, name, pile, claims)
        if formed is not None:
            found.append(formed)
    return found


def _compare(
    yaku: Yaku, seen: int | None, seat: int, name: Name, pile: Pile | None, claims: Claims | None
) -> Formed | None:
    """What is seen of a yaku in a pile and what is said of it, together."""
    values = {"name": name, "yaku": yaku}

    def not_formed(sentence: Sentence) -> RuleError:
        return RuleError("yaku_not_formed", sentence, seat, yaku.kind)

    def needs_more() -> RuleError:
        if pile is None or pile.counts is None:
            message = say("%(yaku)s of %(name)s: for that the counts are needed.", **values)
            return RuleError("needs_counts", message, seat, "counts")
        message = say("%(yaku)s of %(name)s: for that the cards are needed.", **values)
        return RuleError("needs_cards", message, seat, "captured")

    said = claims if claims is not None and yaku.claimable else {}
    said_extra = said.get(yaku.with_extra, 0) if yaku.with_extra else 0
    said_times = said.get(yaku.key, 0) + said_extra
    exact = pile is not None and pile.named is not None
    # Named cards leave open only which chaff there is; of that the table knows, if it says so.
    if seen is None and (not yaku.claimable or (exact and claims is None)):
        raise needs_more()
    if seen is not None and said_times > seen:
        raise not_formed(say("%(name)s cannot have %(yaku)s with this pile.", **values))
    if seen is not None and exact and claims is not None and yaku.claimable and said_times < seen:
        raise not_formed(say("%(name)s has %(yaku)s in the pile: name it as well.", **values))
    times = said_times if seen is None else seen
    if not times:
        return None
    extra = 0
    if yaku.extra is not None and yaku.each_extra:
        known = None if pile is None else yaku.extra(pile)
        if known is None and yaku.with_extra is None:
            raise needs_more()
        if known is not None and said_extra > known:
            raise not_formed(say("%(name)s has %(yaku)s, but not the rain man.", **values))
        extra = said_extra if known is None else known
    return Formed(yaku, times, yaku.value(times, extra), extra=extra)


@dataclass(slots=True)
class Tally:
    """A round, counted: what each seat has, before anything is decided.

    ``game`` is the game as the table plays it. Lists have one item a seat. ``points`` are
    card points, None where they were not reported and are not needed. ``yaku`` holds, for each
    class of yaku, a list of what each seat formed; the special ones are looked for only where they
    can be paid, and ``claims`` is what the table says of them. ``stopper`` is the seat that ended
    the round, None when it was played out. ``multiplier`` is the field's, 1 where the game has
    none; ``decision`` answers a tie that the table decides.
    """

    game: Game
    names: Sequence[Name]
    dealer: int
    piles: Sequence[Pile | None]
    points: list[int | None]
    yaku: dict[str, list[list[Formed]]]
    claims: Sequence[Claims | None]
    continued: Sequence[bool]
    stopper: int | None = None
    multiplier: int = 1
    decision: Any = None

    @property
    def rules(self) -> Rules:
        """The table's house rules."""
        return self.game.rules

    @property
    def seats(self) -> range:
        return range(len(self.names))

    def counted_points(self) -> list[int]:
        """The card points of every seat, where the round cannot do without them."""
        return [points for points in self.points if points is not None]

    def paid(self, kind: str, seat: int) -> list[Formed]:
        """The yaku of a class that this seat is paid for."""
        return [formed for formed in self.yaku[kind][seat] if formed.void is None]

    def value(self, kind: str, seat: int) -> int:
        """The sum of what these yaku are worth."""
        yaku = self.yaku[kind][seat]
        return sum([formed.value for formed in yaku if formed.void is None]) if yaku else 0

    def anybody(self, kind: str) -> bool:
        return any(self.yaku[kind]) and any(self.paid(kind, seat) for seat in self.seats)

    def void(self, kind: str, why: Sentence, seats: Iterable[int] | None = None) -> None:
        """Leaves the yaku of a class unpaid, for everybody or for some seats."""
        for seat in self.seats if seats is None else seats:
            for formed in self.yaku[kind][seat]:
                formed.void = why

    def find_special(self, special: Sequence[Yaku]) -> bool:
        """Looks for special yaku in all piles; says whether there are any."""
        for seat, claims in enumerate(self.claims):
            self.yaku[SPECIAL][seat] += find(
                special, seat, self.names[seat], self.piles[seat], claims
            )
        if not any(self.yaku[SPECIAL]):
            return False
        check_owners(self.names, self.yaku[SPECIAL])
        self.keep_best(SPECIAL)
        return self.anybody(SPECIAL)

    def forget_special(self, keep: int | None = None) -> None:
        """Drops the special yaku that were found, but those of one seat."""
        for seat in self.seats:
            if seat != keep:
                self.yaku[SPECIAL][seat].clear()

    def keep_best(self, kind: str) -> None:
        """Leaves unpaid what the best yaku of a class, or of a group, excludes.

        Of equal ones the first is kept.
        """
        alone = kind in self.game.only_best
        for seat, yaku in enumerate(self.yaku[kind]):
            if len(yaku) < 2:
                continue
            paid = self.paid(kind, seat)
            rivals: dict[str, list[Formed]] = {}
            for formed in paid:
                group = kind if alone else formed.yaku.group
                if group is not None:
                    rivals.setdefault(group, []).append(formed)
            for formeds in rivals.values():
                best = max(formeds, key=lambda formed: formed.value)
                for formed in formeds:
                    if formed is not best:
                        formed.void = (
                            BEST_ALONE[kind]
                            if alone
                            else say("%(better)s counts instead", better=best.yaku)
                        )

    def round_the_table(self, seats: Iterable[int]) -> list[int]:
        """These seats in turn order, the dealer first."""
        return sorted(seats, key=lambda seat: (seat - self.dealer) % len(self.names))

    def called(self, seats: Iterable[int]) -> list[Name]:
        return [self.names[seat] for seat in seats]


def check_owners(names: Sequence[Name], formed: Sequence[Sequence[Formed]]) -> None:
    """Refuses yaku that two players cannot both have, or not so often (``card_twice``)."""
    owners: dict[str, int] = {}
    times: dict[str, int] = {}
    for seat, yaku in enumerate(formed):
        for one in yaku:
            key = one.yaku.key
            times[key] = times.get(key, 0) + one.times
            owner = owners.setdefault(key, seat)
            if owner != seat and (one.yaku.alone or times[key] > one.yaku.most > 1):
                raise RuleError(
                    "card_twice",
                    say(
                        "%(one)s and %(other)s cannot both have %(yaku)s, %(times)s times in all.",
                        yaku=one.yaku,
                        one=names[owner],
                        other=names[seat],
                        times=times[key],
                    )
                    if one.yaku.most > 1
                    else say(
                        "%(one)s and %(other)s cannot both have %(yaku)s.",
                        yaku=one.yaku,
                        one=names[owner],
                        other=names[seat],
                    ),
                    seat,
                    one.yaku.kind,
                )
