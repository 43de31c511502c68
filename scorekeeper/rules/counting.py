"""From what was reported to what each seat has: piles, yaku, and what the field multiplies by.

:func:`count` looks at all seats together. It fills in the pile that was left out, checks the piles
against the deck and the claims against the piles, and refuses whatever cannot be; what comes out
is a :class:`Tally`, of which nothing has been decided yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from scorekeeper.rules.cards import BRIGHTS, WHOLE_DECK, Cards
from scorekeeper.rules.game import MAY_STOP, MUST_STOP, Game
from scorekeeper.rules.pile import (
    IN_DECK,
    KIND_MASKS,
    KINDS,
    UNDRAWN,
    Pile,
    check_counts,
    check_deck,
    check_overlap,
    check_points,
    check_table,
    fill_rest,
    make_up_deck,
    settle_chaff,
)
from scorekeeper.rules.round import Round, Seat
from scorekeeper.rules.sentence import Name, RuleError, say
from scorekeeper.rules.tally import Formed, Tally, check_owners, find
from scorekeeper.rules.yaku import (
    CLASSES,
    DEKIYAKU,
    SPECIAL,
    TEYAKU,
    Yaku,
    months_left,
    most_whole_months,
    whole_months,
)


def count(played: Round, multiplier: int) -> Tally:
    """What each seat has; raises everything that cannot be.

    What follows of a pile from the others, and its card points, are written into the pile that was
    reported: a round is settled once.
    """
    game, seats = played.game, played.seats
    names = [seat.name for seat in seats]
    piles = _piles(played, names)
    dekiyaku = [
        find(game.by_kind[DEKIYAKU], at, seat.name, piles[at], seat.dekiyaku)
        for at, seat in enumerate(seats)
    ]
    _check_claims(played, names, piles, dekiyaku)
    _check_end(played, dekiyaku)
    may_do_without = played.end == "stopped" or (game.ending == MAY_STOP and any(dekiyaku))
    for at, pile in enumerate(piles):
        if pile is None and not may_do_without:
            raise RuleError(
                "not_a_round",
                say("What %(name)s captured is missing.", name=names[at]),
                at,
                game.forms[0],
            )
    tally = Tally(
        game=game,
        names=names,
        dealer=played.dealer,
        piles=piles,
        points=[None if pile is None else pile.points for pile in piles],
        yaku={
            TEYAKU: [_teyaku(game, at, seat) for at, seat in enumerate(seats)],
            DEKIYAKU: dekiyaku,
            SPECIAL: [[] for _ in seats],
        },
        claims=[seat.special for seat in seats],
        continued=[
            _continued(played, at, seat, piles[at], dekiyaku[at]) for at, seat in enumerate(seats)
        ],
        stopper=played.stopper,
        multiplier=multiplier,
        decision=played.decision,
    )
    tally.keep_best(TEYAKU)
    tally.keep_best(DEKIYAKU)
    return tally


def nothing_counted(played: Round) -> Tally:
    """The tally of a round without a result."""
    return Tally(
        game=played.game,
        names=[seat.name for seat in played.seats],
        dealer=played.dealer,
        piles=[None for _ in played.seats],
        points=[None for _ in played.seats],
        yaku={kind: [[] for _ in played.seats] for kind in CLASSES},
        claims=[None for _ in played.seats],
        continued=[False for _ in played.seats],
    )


# --- Piles --------------------------------------------------------------------------------------


def _piles(played: Round, names: Sequence[Name]) -> list[Pile | None]:
    """The pile of every seat, the rest filled in, checked against the deck, with card points."""
    values = played.game.values
    piles = [seat.pile for seat in played.seats]
    whole = played.end == "counted" and played.game.needs_whole_deck(len(piles))
    complete = whole and make_up_deck(piles)  # then there is nothing to check
    if not complete:
        check_overlap(piles, names)
        rests = [at for at, seat in enumerate(played.seats) if seat.rest is not None]
        if rests:
            piles[rests[0]] = _rest(played, rests, whole)
        check_counts(piles)
        settle_chaff(piles)
    for at, pile in enumerate(piles):
        if pile is not None:
            pile.points = values.points(pile)
            if pile.points is None:
                raise RuleError(
                    "needs_cards",
                    say(
                        "%(game)s counts single cards: say which cards %(name)s captured.",
                        game=played.game,
                        name=names[at],
                    ),
                    at,
                    pile.form,
                )
    if complete:
        return piles
    given = [pile for pile in piles if pile is not None]
    if whole and len(given) == len(piles):
        check_deck(given, values)
    elif not whole and played.end == "counted":
        check_table(given, values)
    else:
        check_points(given, values)
    return piles


def _rest(played: Round, rests: Sequence[int], whole: bool) -> Pile:
    at = rests[0]
    seat = played.seats[at]
    form = seat.rest or ""
    others = [other.pile for other in played.seats if other is not seat]
    if len(rests) > 1:
        raise RuleError(
            "mixed_rest",
            say("Only one pile can be the rest of the deck."),
            rests[1],
            played.seats[rests[1]].rest,
        )
    if not whole:
        raise RuleError(
            "mixed_rest",
            say(
                "There is no rest to fill in: in such a round not all cards are captured. Say "
                "what %(name)s has.",
                name=seat.name,
            ),
            at,
            form,
        )
    same = [pile for pile in others if pile is not None and pile.form == form]
    if len(same) < len(others):
        raise RuleError(
            "mixed_rest",
            say(
                "The rest for %(name)s needs all other piles in the same form.",
                name=seat.name,
            ),
            at,
            form,
        )
    rest = fill_rest(form, same, played.game.values)
    if rest is None:
        raise RuleError(
            "mixed_rest",
            say(
                "The other piles have more than the whole deck: nothing is left for %(name)s.",
                name=seat.name,
            ),
            at,
            form,
        )
    return rest


# --- Yaku ---------------------------------------------------------------------------------------


def in_hand(game: Game, hand: Pile) -> list[Formed]:
    """The teyaku that a dealt hand holds, of each group the best."""
    held = [
        Formed(yaku, times, yaku.value(times))
        for yaku in game.teyaku(hand.sets)
        if (times := yaku.pattern(hand))
    ]
    return held if len(held) < 2 else _best_of_groups(held)


def _teyaku(game: Game, at: int, seat: Seat) -> list[Formed]:
    """The teyaku a seat shows; without a word of it, all of its hand."""
    if seat.teyaku is None:
        return [] if seat.hand is None else in_hand(game, seat.hand)
    if not seat.teyaku:
        return []
    shown = [
        Formed(yaku, times, yaku.value(times))
        for yaku in game.by_kind[TEYAKU]
        if (times := seat.teyaku.get(yaku.key, 0))
    ]
    for formed in shown:
        held = None if seat.hand is None else formed.yaku.pattern(seat.hand)
        if held is not None and formed.times > held:
            raise RuleError(
                "yaku_not_formed",
                say(
                    "%(name)s cannot show %(yaku)s from this hand.",
                    name=seat.name,
                    yaku=formed.yaku,
                ),
                at,
                TEYAKU,
            )
    groups: dict[str, Yaku] = {}
    for formed in shown:
        group = formed.yaku.group
        if group is not None and groups.setdefault(group, formed.yaku) is not formed.yaku:
            raise RuleError(
                "teyaku_conflict",
                say(
                    "%(name)s can show %(one)s or %(other)s, not both.",
                    name=seat.name,
                    one=groups[group],
                    other=formed.yaku,
                ),
                at,
                TEYAKU,
            )
    return shown


def _best_of_groups(formed: Sequence[Formed]) -> list[Formed]:
    """Of several yaku of a group the first of the most valuable ones."""
    kept: dict[str, Formed] = {}
    for one in formed:
        group = one.yaku.group or one.yaku.key
        if group not in kept or one.value > kept[group].value:
            kept[group] = one
    return list(kept.values())


def _check_claims(
    played: Round,
    names: Sequence[Name],
    piles: Sequence[Pile | None],
    dekiyaku: Sequence[Sequence[Formed]],
) -> None:
    """Refuses dekiyaku that cannot be there together, given all that is known of the piles."""
    if not any(dekiyaku) or all(pile is not None and pile.cards is not None for pile in piles):
        return
    check_owners(names, dekiyaku)
    known = []
    for at, (pile, formeds) in enumerate(zip(piles, dekiyaku, strict=True)):
        sets = [formed for formed in formeds if formed.yaku.cards and not formed.yaku.needed]
        has = 0 if pile is None else pile.surely
        for formed in sets:
            has |= formed.yaku.cards.mask
        known.append(has)
        if pile is not None and (pile.cards is not None or not formeds):
            continue
        together = Pile.of_cards(has)
        if (
            (pile is not None and pile.has(Cards(has)) is False)
            or any(formed.yaku.pattern(together) == 0 for formed in sets)
            or any(_at_least(kind, has, formeds) > count for kind, count in _counted(pile))
        ):
            raise RuleError(
                "yaku_not_formed",
                say(
                    "%(name)s cannot have %(yaku)s together with this pile.",
                    name=names[at],
                    yaku=[formed.yaku for formed in formeds],
                ),
                at,
                DEKIYAKU,
            )
    for at, formeds in enumerate(dekiyaku):
        for formed in formeds:
            cards = formed.yaku.cards.mask
            needed = formed.yaku.needed or cards.bit_count()
            others = [other for other, theirs in enumerate(known) if other != at and cards & theirs]
            taken = 0
            for other in others:
                taken |= cards & known[other]
            if taken.bit_count() > cards.bit_count() - needed:
                raise RuleError(
                    "card_twice",
                    say(
                        "%(name)s cannot have %(yaku)s: %(cards)s went to %(others)s.",
                        name=names[at],
                        yaku=formed.yaku,
                        cards=Cards(taken),
                        others=[names[other] for other in others],
                    ),
                    at,
                    DEKIYAKU,
                )
    _check_left(names, piles, dekiyaku, known)
    _check_months(played, names, piles, dekiyaku, known)


def _counted(pile: Pile | None) -> Iterable[tuple[int, int]]:
    """The kinds, as bits, and how many of each a pile has, where that was counted."""
    return () if pile is None or pile.counts is None else zip(KIND_MASKS, pile.counts, strict=True)


def _at_least(kind: int, has: int, formeds: Sequence[Formed]) -> int:
    """How many cards of a kind somebody has who has these cards, as bits, and these yaku."""
    least = (has & kind).bit_count()
    for formed in formeds:
        among = formed.yaku.cards.mask
        if formed.yaku.needed and not among & ~kind:
            least = max(least, formed.yaku.needed + (has & kind & ~among).bit_count())
    return least


def _check_left(
    names: Sequence[Name],
    piles: Sequence[Pile | None],
    dekiyaku: Sequence[Sequence[Formed]],
    known: Sequence[int],
) -> None:
    """Refuses dekiyaku for which the piles of the others leave too few cards of a kind."""
    for place, (kind, in_deck) in enumerate(zip(KIND_MASKS, IN_DECK, strict=True)):
        counted, claimed = 0, []
        for at, (pile, formeds) in enumerate(zip(piles, dekiyaku, strict=True)):
            if pile is not None and pile.counts is not None:
                counted += pile.counts[place]
            elif least := _at_least(kind, known[at], formeds):
                counted += least
                claimed.append(at)
        if counted > in_deck and claimed:
            at = claimed[-1]
            raise RuleError(
                "yaku_not_formed",
                say(
                    "%(name)s cannot have %(yaku)s: the others have too many cards: %(kind)s.",
                    name=names[at],
                    yaku=[formed.yaku for formed in dekiyaku[at]],
                    kind=KINDS[place],
                ),
                at,
                DEKIYAKU,
            )


def _check_months(
    played: Round,
    names: Sequence[Name],
    piles: Sequence[Pile | None],
    dekiyaku: Sequence[Sequence[Formed]],
    known: Sequence[int],
) -> None:
    """Refuses more whole months than there can be of the cards that the others leave."""
    claimed = [
        (at, formed)
        for at, formeds in enumerate(dekiyaku)
        for formed in formeds
        if formed.yaku.pattern is whole_months
    ]
    if not claimed:
        return
    others = [sum(known) - own for own in known]  # no card is known to be in two piles
    # A month of which two players have a card is whole for neither of them.
    whole = {
        month for pile, gone in zip(piles, others, strict=True) for month in months_left(pile, gone)
    }
    left = len(whole)
    if played.end == "counted" and not played.game.needs_whole_deck(len(piles)):
        left = min(left, (len(WHOLE_DECK) - UNDRAWN) // 4)
    for at, formed in claimed:
        most = min(left, most_whole_months(piles[at], others[at]))
        if formed.times > most:
            raise RuleError(
                "yaku_not_formed",
                say(
                    "%(name)s cannot have %(yaku)s %(times)s times: at most %(most)s are left.",
                    name=names[at],
                    yaku=formed.yaku,
                    times=formed.times,
                    most=most,
                ),
                at,
                DEKIYAKU,
            )
        left -= formed.times


def _check_end(played: Round, dekiyaku: Sequence[Sequence[Formed]]) -> None:
    """Refuses a round that did not end as its dekiyaku say."""
    stopper = played.stopper
    if stopper is not None and not dekiyaku[stopper]:
        raise RuleError(
            "stopped_without_yaku",
            say("%(name)s ended the round: with which dekiyaku?", name=played.seats[stopper].name),
            stopper,
            DEKIYAKU,
        )
    if played.game.ending != MUST_STOP:
        return
    for at, formeds in enumerate(dekiyaku):
        if formeds and at != stopper:
            raise RuleError(
                "dekiyaku_formed",
                say(
                    "%(name)s has %(yaku)s, which ends the round at once.",
                    name=played.seats[at].name,
                    yaku=formeds[0].yaku,
                ),
                at,
                DEKIYAKU,
            )


def _continued(
    played: Round, at: int, seat: Seat, pile: Pile | None, dekiyaku: Sequence[Formed]
) -> bool:
    """Whether a seat formed a dekiyaku and played on; raises ``yaku_not_formed``."""
    if dekiyaku:
        return seat.continued or at != played.stopper
    if not seat.continued:
        return False
    possible = pile is None or any(
        yaku.pattern(pile) is None for yaku in played.game.by_kind[DEKIYAKU]
    )
    if played.end == "counted" or not possible:
        raise RuleError(
            "yaku_not_formed",
            say("%(name)s played on, but has no dekiyaku to play on with.", name=seat.name),
            at,
            "continued",
        )
    return True


# --- The field ----------------------------------------------------------------------------------


# Rain man and phoenix make four, the other brights two (seed 002, "Multiplier").
_MULTIPLIERS = {card.bit: 4 if card.month > 10 else 2 for card in BRIGHTS}


def multipliers(field: Cards) -> list[int]:
    """What each bright of an opening field multiplies by."""
    if not field.mask & BRIGHTS.mask:
        return []
    return [by for bright, by in _MULTIPLIERS.items() if field.mask & bright]


def field_multipliers(played: Round) -> list[int]:
    """What the opening field multiplies a round by, bright by bright or as it was given."""
    return multipliers(played.field) if played.multiplier is None else [played.multiplier]


def multiplied(played: Round) -> tuple[int, list[int]]:
    """What the round is multiplied by, and the multipliers it leaves for later rounds."""
    if played.game.field_brights is None:
        return 1, []
    shown = field_multipliers(played)
    if played.game.field_brights == "stack":
        return prod(shown), []
    if played.game.field_brights == "carry_over":
        waiting = sorted([*shown, *played.carried], reverse=True)
        return (waiting[0], waiting[1:]) if waiting else (1, [])
    return max(shown, default=1), []
