"""The working: a line for everything that made the amounts, so that nobody has to trust them.

First what each player has, then what the settlement told while it was booking, and last who pays
whom, with the check of the sum. The lines are made of the very numbers that were booked, so the
explanation cannot differ from the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.rules.cards import Cards
from scorekeeper.rules.counting import field_multipliers, in_hand
from scorekeeper.rules.pile import Pile, Values
from scorekeeper.rules.round import Round
from scorekeeper.rules.sentence import Name, Sentence, Signed, Sum, say
from scorekeeper.rules.settlement import Line, Settlement
from scorekeeper.rules.tally import Tally
from scorekeeper.rules.yaku import CLASSES, TEYAKU, Reckoned

_TOTAL = {
    "points": say("In points: %(amounts)s").message,
    "shares": say("In shares: %(amounts)s").message,
}


def counted_lines(played: Round, tally: Tally, carry: Sequence[int]) -> list[Line]:
    """What was counted: card points, what the field multiplies by, and every yaku."""
    return [
        *_pile_lines(tally),
        *_field_lines(played, tally.multiplier, carry),
        *_yaku_lines(tally),
        *_hidden_lines(played),
    ]


def _pile_lines(tally: Tally) -> list[Line]:
    """A line for every pile: how its card points come about, as far as its form tells."""
    return [
        ("points", _pile(name, pile, tally.game.values))
        for name, pile in zip(tally.names, tally.piles, strict=True)
        if pile is not None
    ]


_BY_KIND = say(
    "%(name)s, card points: bright %(bright)s × %(bright_value)s + animal %(animal)s × "
    "%(animal_value)s + ribbon %(ribbon)s × %(ribbon_value)s + chaff %(chaff)s × %(chaff_value)s = "
    "%(points)s"
).message
_REST_BY_KIND = say(
    "%(name)s has the rest, card points: bright %(bright)s × %(bright_value)s + animal "
    "%(animal)s × %(animal_value)s + ribbon %(ribbon)s × %(ribbon_value)s + chaff %(chaff)s × "
    "%(chaff_value)s = %(points)s"
).message


def _pile(name: Name, pile: Pile, values: Values) -> Sentence:
    if pile.counts is not None and values.by_kind is not None:
        bright, animal, ribbon, chaff = pile.counts
        bright_value, animal_value, ribbon_value, chaff_value = values.by_kind
        return say(
            _REST_BY_KIND if pile.filled else _BY_KIND,
            name=name,
            bright=bright,
            bright_value=bright_value,
            animal=animal,
            animal_value=animal_value,
            ribbon=ribbon,
            ribbon_value=ribbon_value,
            chaff=chaff,
            chaff_value=chaff_value,
            points=pile.points,
        )
    if pile.cards is not None and pile.points:
        held = [(value, Cards(cards.mask & pile.cards)) for value, cards in values.worth]
        sum_ = Sum(
            say("%(count)s × %(value)s (%(cards)s)", count=len(cards), value=value, cards=cards)
            for value, cards in held
            if cards
        )
        if pile.filled:
            return say(
                "%(name)s has the rest, card points: %(sum)s = %(points)s",
                name=name,
                sum=sum_,
                points=pile.points,
            )
        return say(
            "%(name)s, card points: %(sum)s = %(points)s", name=name, sum=sum_, points=pile.points
        )
    if pile.filled:
        return say(
            "%(name)s has the rest of the %(total)s card points: %(points)s",
            name=name,
            total=values.total,
            points=pile.points,
        )
    return say("%(name)s, card points: %(points)s", name=name, points=pile.points)


def _field_lines(played: Round, multiplier: int, carry: Sequence[int]) -> list[Line]:
    """What multiplies the round, and from where."""
    if played.game.field_brights is None:
        return []
    shown, carried = field_multipliers(played), played.carried
    if not shown and not carried:
        return []
    messages = []
    if not carried and not carry and multiplier in shown:
        # The only bright, or the greatest.
        messages.append(
            say("The opening field: everything counts × %(multiplier)s.", multiplier=multiplier)
        )
    else:
        if shown:
            messages.append(say("The opening field: %(multipliers)s.", multipliers=_times(shown)))
        if carried:
            messages.append(say("Waiting from earlier rounds: %(carry)s.", carry=_times(carried)))
        messages.append(
            say(
                "Multiplied with each other: everything counts × %(multiplier)s.",
                multiplier=multiplier,
            )
            if multiplier > max([*shown, *carried])
            else say("Everything counts × %(multiplier)s.", multiplier=multiplier)
        )
    if carry:
        messages.append(say("Waiting for the next rounds: %(carry)s.", carry=_times(carry)))
    return [("field", message) for message in messages]


def _times(multipliers: Sequence[int]) -> list[Sentence]:
    return [say("× %(multiplier)s", multiplier=multiplier) for multiplier in multipliers]


_SO_OFTEN = say("%(name)s: %(times)s times %(yaku)s = %(value)s").message
_COUNTED_ONCE = say("%(name)s: %(times)s times %(yaku)s, counted once = %(value)s").message


def _yaku_lines(tally: Tally) -> list[Line]:
    """A line for every yaku: whose it is, what it is worth, and why where it is not paid."""
    lines: list[Line] = []
    for kind in CLASSES:
        if not any(tally.yaku[kind]):
            continue
        for name, pile, formeds in zip(tally.names, tally.piles, tally.yaku[kind], strict=True):
            for formed in formeds:
                yaku, value = formed.yaku, formed.value
                if isinstance(yaku.pattern, Reckoned) and pile is not None:
                    reckoned = yaku.pattern.told(name, pile)
                    lines += [(kind, reckoned)] if reckoned else []
                if formed.void is not None:
                    message = say(
                        "%(name)s: %(yaku)s (%(value)s) is not paid: %(why)s",
                        name=name,
                        yaku=yaku,
                        value=value,
                        why=formed.void,
                    )
                elif formed.times > 1:
                    message = say(
                        _COUNTED_ONCE if value == yaku.first else _SO_OFTEN,
                        name=name,
                        times=formed.times,
                        yaku=yaku,
                        value=value,
                    )
                elif formed.extra:
                    message = say(
                        "%(name)s: %(yaku)s = %(first)s + %(extra)s × %(each)s = %(value)s",
                        name=name,
                        yaku=yaku,
                        first=yaku.first,
                        extra=formed.extra,
                        each=yaku.each_extra,
                        value=value,
                    )
                else:
                    message = say(
                        "%(name)s: %(yaku)s = %(value)s", name=name, yaku=yaku, value=value
                    )
                lines.append((kind, message))
    return lines


def _hidden_lines(played: Round) -> list[Line]:
    """A line for every teyaku that a hand holds and its player did not show."""
    lines: list[Line] = []
    for seat in played.seats:
        if seat.hand is None or seat.teyaku is None:
            continue
        groups = {
            yaku.group or yaku.key
            for yaku in played.game.by_kind[TEYAKU]
            if yaku.key in seat.teyaku
        }
        for formed in in_hand(played.game, seat.hand):
            if (formed.yaku.group or formed.yaku.key) not in groups:
                message = say(
                    "%(name)s: %(yaku)s (%(value)s) was not shown and scores nothing",
                    name=seat.name,
                    yaku=formed.yaku,
                    value=formed.value,
                )
                lines.append((TEYAKU, message))
    return lines


def booked_lines(
    settlement: Settlement, dealer: int | None, question: tuple[str, list[int]] | None
) -> list[Line]:
    """Who pays whom, what each has, who deals next, and last the check of the sum."""
    tally = settlement.tally
    names = tally.names
    if settlement.tied is not None:
        return [("check", say("Nothing is booked before the table has decided."))]
    lines: list[Line] = [
        (
            "payment",
            say(
                "%(payer)s pays %(to)s: %(amount)s (%(reason)s)",
                payer=names[payment.payer],
                to=names[payment.to],
                amount=payment.amount,
                reason=payment.reason,
            ),
        )
        for payment in settlement.payments
    ]
    amounts = list(zip(names, map(Signed, settlement.amounts), strict=True))
    lines.append(("total", say(_TOTAL[tally.game.unit], amounts=amounts)))
    if dealer is not None:
        lines.append(("dealer", say("%(name)s deals next.", name=names[dealer])))
    elif question is not None:
        between = tally.called(question[1])
        lines.append(("dealer", say("The table says who deals next: %(names)s.", names=between)))
    lines.append(check_line(settlement))
    return lines


def check_line(settlement: Settlement) -> Line:
    """What all amounts add up to: nothing, where players pay each other."""
    amounts = settlement.amounts
    return "check", say("Check: %(sum)s = %(total)s", sum=Sum(amounts), total=sum(amounts))
