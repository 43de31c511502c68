"""The JSON contract, both ways: a document becomes a :class:`Round`, a :class:`Result` an answer.

>>> settle({"game": "bakappana", "seats": [{"points": 97}, {"points": 87}, {"points": "rest"}]})[
...     "amounts"]
[9, -1, -8]

Reading is forgiving where a hand may slip (full-width digits, commas, lower case) and strict
everywhere else: whatever is no round is refused with a code, a sentence and its place, and
nothing but :class:`RuleError` ever comes out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.rules.cards import CHAFF, Cards, Kind, bits
from scorekeeper.rules.counting import multipliers
from scorekeeper.rules.game import MAY_STOP, Game
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.pile import IN_DECK, KINDS, Counts, Pile
from scorekeeper.rules.result import Result
from scorekeeper.rules.result import settle as settle_round
from scorekeeper.rules.round import REST, Round, Seat
from scorekeeper.rules.sentence import ENGLISH, Name, RuleError, Sentence, Translator, brief, say
from scorekeeper.rules.tally import Formed
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, SPECIAL, TEYAKU

FORMS = ("captured", "counts", "named", "points")
"""The forms in which a pile can be given; each is a field of a seat."""

ENDS = ("counted", "stopped", "void")


def fields_of(table: Game, end: object) -> tuple[frozenset[str], frozenset[str]]:
    """The fields that a document can have use for, its own and those of its seats.

    The others say nothing of a round of this table that ended so, and nobody looks at them.
    """
    own, seat = {"game", "rules", "dealer", "end", "seats"}, {"name"}
    if table.field_brights is not None:
        own |= {"carried"}
    if end == "void":
        return frozenset(own), frozenset(seat)
    if end == "stopped":
        own |= {"stopped_by"}
    if table.field_brights is not None:
        own |= {"field", "multiplier"}
    if table.rules.get("tie") == "ask":
        own |= {"decision"}
    seat |= {*FORMS, "chaff"}
    if table.by_kind[TEYAKU]:
        seat |= {"hand"}
    if table.yaku:
        seat |= {*CLASSES}
    if table.ending == MAY_STOP:
        seat |= {"continued"}
    return frozenset(own), frozenset(seat)


def settle(document: Any, translate: Translator | None = None) -> dict[str, Any]:
    """Answers a round as the contract says; raises :class:`RuleError` for what is not one."""
    return answer(work_out(document), translate)


def work_out(document: Any) -> Result:
    """The result of a round, its sentences not yet in any language; raises :class:`RuleError`."""
    return settle_round(read(document))


# --- In -----------------------------------------------------------------------------------------


def read(document: Any) -> Round:
    """Reads a round; raises :class:`RuleError`."""
    if not isinstance(document, dict):
        raise _not_a_round(say("A round is an object with a game and seats."))
    table = read_table(document)
    seats = document.get("seats")
    if not isinstance(seats, (list, tuple)) or not {dict}.issuperset(map(type, seats)):
        raise _not_a_round(say("The seats are a list with an object for each player."), "seats")
    table.check_seats(len(seats))
    end = document.get("end", "counted")
    if end not in ENDS:
        raise _not_a_round(say("A round ends counted, stopped or void."), "end")
    table.check_table(len(seats), end)
    dealer = _seat_index(document.get("dealer", 0), len(seats), "dealer")
    carried = _carried(table, document)
    if end == "void":
        names = [Seat(_name(seat, at)) for at, seat in enumerate(seats)]
        return Round(table, names, dealer, end, carried=carried)
    stopper = _stopper(table, document, len(seats)) if end == "stopped" else None
    field, multiplier = _field(table, document)
    return Round(
        game=table,
        seats=_seats(table, seats, field),
        dealer=dealer,
        end=end,
        stopper=stopper,
        field=field,
        multiplier=multiplier,
        carried=carried,
        decision=document.get("decision") if table.rules.get("tie") == "ask" else None,
    )


def read_table(document: Mapping[str, Any]) -> Game:
    """The game a document names, as its table plays it."""
    key = document.get("game")
    if not isinstance(key, str):
        raise _not_a_round(say("The game is missing."), "game")
    game = GAMES.get(key)
    if game is None:
        raise RuleError(
            "unknown_game",
            say(
                "There is no game “%(key)s”: it is one of %(games)s.",
                key=key[:40],
                games=list(GAMES),
            ),
            field="game",
        )
    given = document.get("rules", {})
    if not isinstance(given, dict):
        raise _not_a_round(say("The house rules are an object."), "rules")
    return game.table(given)


def _not_a_round(
    sentence: Sentence, field: str | None = None, seat: int | None = None
) -> RuleError:
    return RuleError("not_a_round", sentence, seat, field)


def _seat_index(value: Any, seats: int, field: str) -> int:
    if type(value) is not int:
        raise _not_a_round(say("A seat is given by its number, 0 for the first."), field)
    if not 0 <= value < seats:
        raise RuleError(
            "bad_seat",
            say(
                "There is no seat %(seat)s: the seats are 0 to %(last)s.",
                seat=brief(value),
                last=seats - 1,
            ),
            field=field,
        )
    return value


def _stopper(game: Game, document: Mapping[str, Any], seats: int) -> int:
    if game.ending is None:
        raise RuleError(
            "stopped_without_yaku",
            say("In %(game)s no dekiyaku ends a round.", game=game),
            field="end",
        )
    if "stopped_by" not in document:
        raise _not_a_round(say("Who ended the round is missing."), "stopped_by")
    return _seat_index(document["stopped_by"], seats, "stopped_by")


# --- The opening field --------------------------------------------------------------------------


def _field(game: Game, document: Mapping[str, Any]) -> tuple[Cards, int | None]:
    """The cards of the opening field, or else the multiplier that was given instead."""
    if game.field_brights is None:
        return Cards(), None
    given = document.get("multiplier")
    if given is not None and (
        game.field_brights != "greater" or type(given) is not int or given not in (1, 2, 4)
    ):
        raise _not_a_round(
            say("The field multiplies by 1, 2 or 4.")
            if game.field_brights == "greater"
            else say("With this house rule the brights of the field are needed, no multiplier."),
            "multiplier",
        )
    if "field" not in document:
        return Cards(), None if given == 1 else given
    cards = Cards(_cards(document["field"], None, "field"))
    if given is not None and given != (shown := max(multipliers(cards), default=1)):
        raise RuleError(
            "rule_conflict",
            say(
                "These cards in the field multiply by %(shown)s, not by %(given)s.",
                shown=shown,
                given=given,
            ),
            field="multiplier",
        )
    return cards, None


def _carried(game: Game, document: Mapping[str, Any]) -> list[int]:
    if game.field_brights != "carry_over":
        return []
    carried = document.get("carried", [])
    if not isinstance(carried, list | tuple) or not all(
        type(one) is int and one in (1, 2, 4) for one in carried
    ):
        raise _not_a_round(say("A multiplier that waits is 1, 2 or 4."), "carried")
    return sorted((one for one in carried if one > 1), reverse=True)


# --- Seats --------------------------------------------------------------------------------------


def _seats(game: Game, seats: Sequence[Mapping[str, Any]], field: Cards) -> list[Seat]:
    read = [_seat(game, seat, at, len(seats)) for at, seat in enumerate(seats)]
    dealt = field.mask
    for at, seat in enumerate(read):
        if seat.hand is not None:
            hand = seat.hand.surely
            if hand & dealt:
                raise _dealt_twice(read, at, hand, field)
            dealt |= hand
    return read


def _dealt_twice(seats: Sequence[Seat], at: int, hand: int, field: Cards) -> RuleError:
    """The refusal of a hand with cards that lie in the field or in the hand of an earlier seat."""
    values = {"name": seats[at].name, "cards": Cards(hand & field.mask)}
    message = say("%(cards)s: dealt to %(name)s and face up in the field.", **values)
    if not hand & field.mask:
        other, twice = next(
            (seat, hand & seat.hand.surely)
            for seat in seats
            if seat.hand is not None and hand & seat.hand.surely
        )
        values |= {"cards": Cards(twice), "other": other.name}
        message = say("%(cards)s: dealt to both %(other)s and %(name)s.", **values)
    return RuleError("bad_hand", message, at, "hand")


def _name(seat: Mapping[str, Any], at: int) -> Name:
    name = seat.get("name", "")
    if name is None:
        return _numbered(at)
    if not isinstance(name, str):
        raise _not_a_round(say("A name is a text."), "name", at)
    return Name(name) if name.strip() else _numbered(at)


def _numbered(at: int) -> Name:
    """What a player is called who has no name."""
    return Name(f"Player {at + 1}")


def _seat(game: Game, seat: Mapping[str, Any], at: int, seats: int) -> Seat:
    name = _name(seat, at)
    pile, rest = _pile(game, seat, at)
    read = Seat(name, pile, rest)
    if "hand" in seat and game.by_kind[TEYAKU]:
        read.hand = _hand(game, seat, at, seats, name)
    if TEYAKU in seat and game.yaku:
        read.teyaku = _claims(game, TEYAKU, seat, at, name)
    if DEKIYAKU in seat and game.yaku:
        read.dekiyaku = _claims(game, DEKIYAKU, seat, at, name)
    if SPECIAL in seat and game.yaku:
        read.special = _claims(game, SPECIAL, seat, at, name)
    if game.ending == MAY_STOP:
        continued = seat.get("continued", False)
        if type(continued) is not bool:
            raise _not_a_round(say("Whether somebody played on is true or false."), "continued", at)
        read.continued = continued
    return read


def _pile(game: Game, seat: Mapping[str, Any], at: int) -> tuple[Pile | None, str | None]:
    """The pile, or the form whose rest it is; neither where nothing was given."""
    form = None
    for one in FORMS:
        if one in seat:
            if form is not None:
                raise _several_forms(seat, at)
            form = one
    if form is None:
        return None, None
    value = seat[form]
    if isinstance(value, str) and value.strip().lower() == REST:
        return None, form
    if form == "captured":
        return Pile.of_cards(_cards(value, at, form)), None
    if form == "counts":
        return Pile.of_counts(_counts(value, at)), None
    if form == "points":
        return Pile.of_points(_points(game, value, at)), None
    named = _cards(value, at, form)
    if chaff := named & CHAFF.mask:
        raise RuleError(
            "bad_card",
            say("%(cards)s: chaff is counted here, not named.", cards=Cards(chaff)),
            at,
            form,
        )
    return Pile.of_named(named, _count(seat.get("chaff"), Kind.CHAFF, at, "chaff")), None


def _several_forms(seat: Mapping[str, Any], at: int) -> RuleError:
    given = [form for form in FORMS if form in seat]
    return _not_a_round(
        say(
            "A pile is given in one form, not in %(count)s: %(forms)s.",
            count=len(given),
            forms=given,
        ),
        given[1],
        at,
    )


def _cards(value: Any, seat: int | None, field: str) -> int:
    """Cards as bits."""
    if not isinstance(value, str):
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
            raise _not_a_round(say("Cards are a text such as “1B 11R 12C1”."), field, seat)
        value = " ".join(value)
    try:
        return bits(value)
    except RuleError as error:
        raise error.at(seat, field) from None


def whole_number(value: Any) -> int | None:
    """A whole number, given as one or in digits of any width; else None."""
    if type(value) is int:
        return value
    if isinstance(value, str) and len(value) <= 40:
        text = unicodedata.normalize("NFKC", value).strip().replace("\N{MINUS SIGN}", "-")
        if re.fullmatch(r"[+-]?\d{1,9}", text):
            return int(text)
    return None


def _endless(value: Any) -> bool:
    """Whether a value is a whole number with more digits than anything here can have."""
    text = unicodedata.normalize("NFKC", value).strip() if isinstance(value, str) else ""
    return len(text) > 9 and text.isdecimal()


def _counts(value: Any, at: int) -> Counts:
    if not isinstance(value, Mapping):
        raise _not_a_round(say("Counts are an object with a number for each kind."), "counts", at)
    keys = [kind.key for kind in KINDS]
    for key in value:
        if key not in keys:
            raise RuleError(
                "bad_counts",
                say(
                    "There is no kind “%(key)s”: the kinds are %(kinds)s.",
                    key=brief(key),
                    kinds=keys,
                ),
                at,
                "counts",
            )
    brights, animals, ribbons, chaff = (
        _count(value.get(kind.key), kind, at, "counts") for kind in KINDS
    )
    return brights, animals, ribbons, chaff


def _count(value: Any, kind: Kind, at: int, field: str) -> int:
    in_deck = IN_DECK[KINDS.index(kind)]
    count = whole_number(value)
    if value is None or value == "":
        sentence = say("How many %(kind)s? A blank is not a zero.", kind=kind)
    elif _endless(value) or (count is not None and count > in_deck):
        sentence = say(
            "%(kind)s: the deck has %(have)s, not %(count)s.",
            kind=kind,
            have=in_deck,
            count=brief(value if count is None else count),
        )
    elif count is None:
        sentence = say(
            "%(kind)s: “%(value)s” is not a whole number.", kind=kind, value=brief(value)
        )
    elif count < 0:
        sentence = say(
            "%(kind)s: a count is 0 or more, not %(count)s.", kind=kind, count=brief(count)
        )
    else:
        return count
    raise RuleError("bad_counts", sentence, at, field)


def _points(game: Game, value: Any, at: int) -> int:
    total, step = game.values.total, game.values.step
    points = whole_number(value)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise _not_a_round(say("Card points are a whole number; a blank is none."), "points", at)
    if value == "":
        sentence = say("The card points are missing. A blank is not a zero.")
    elif _endless(value) or (points is not None and points > total):
        sentence = say(
            "%(points)s card points: the whole deck has %(total)s.",
            points=brief(value if points is None else points),
            total=total,
        )
    elif points is None:
        sentence = say("“%(value)s” is not a whole number of points.", value=brief(value))
    elif points < 0:
        sentence = say("Card points are 0 or more, not %(points)s.", points=brief(points))
    elif points % step:
        sentence = say(
            "%(points)s card points: every card counts a multiple of %(step)s.",
            points=points,
            step=step,
        )
    else:
        return points
    raise RuleError("bad_points", sentence, at, "points")


def _hand(game: Game, seat: Mapping[str, Any], at: int, seats: int, name: Name) -> Pile:
    cards = _cards(seat["hand"], at, "hand")
    size = game.deals[seats].hand
    if cards.bit_count() != size:
        raise RuleError(
            "bad_hand",
            say(
                "%(name)s was dealt %(size)s cards, not %(count)s.",
                name=name,
                size=size,
                count=cards.bit_count(),
            ),
            at,
            "hand",
        )
    return Pile.of_hand(cards)


def _claims(game: Game, kind: str, seat: Mapping[str, Any], at: int, name: Name) -> dict[str, int]:
    """What a seat claims of a class of yaku: keys, and how often."""
    given = seat[kind]
    if isinstance(given, str):
        given = given.replace(",", " ").split()
    if not isinstance(given, (list, tuple)) or not {str}.issuperset(map(type, given)):
        raise _not_a_round(say("Yaku are a list of keys."), kind, at)
    if not given:
        return {}
    known = game.by_claim[kind]
    claims: dict[str, int] = {}
    times: dict[str, int] = {}
    for key in given:
        yaku = known.get(key)
        if yaku is None:
            # The special yaku of this game may be switched off at this table; then there is
            # nothing to be said of them.
            if kind == SPECIAL and key in _special_keys(game):
                continue
            elsewhere = [other for other in CLASSES if key in game.by_claim[other]]
            raise RuleError(
                "unknown_yaku",
                say("“%(key)s” is %(there)s, not %(here)s.", key=key, there=elsewhere[0], here=kind)
                if elsewhere
                else say("%(game)s as played here has no “%(key)s”.", game=game, key=brief(key)),
                at,
                kind,
            )
        claims[key] = claims.get(key, 0) + 1
        times[yaku.key] = times.get(yaku.key, 0) + 1
        if times[yaku.key] > yaku.most:
            raise RuleError(
                "teyaku_conflict" if kind == TEYAKU else "card_twice",
                say(
                    "%(name)s has %(yaku)s %(times)s times, and it counts %(most)s times at most: "
                    "take one away.",
                    name=name,
                    yaku=yaku,
                    times=times[yaku.key],
                    most=yaku.most,
                )
                if yaku.most > 1
                else say(
                    "%(name)s has %(yaku)s %(times)s times, and it counts only once: take one "
                    "away.",
                    name=name,
                    yaku=yaku,
                    times=times[yaku.key],
                ),
                at,
                kind,
            )
    return claims


def _special_keys(game: Game) -> set[str]:
    return {
        yaku.key
        for rule in game.house_rules
        for choice in rule.choices
        for yaku in choice.adds
        if yaku.kind == SPECIAL
    }


# --- Back ---------------------------------------------------------------------------------------


def write(played: Round) -> dict[str, Any]:
    """Writes a round as a document: cards in deck order, and nothing that goes without saying.

    Reading it gives the round again, so a document that was read and written is canonical:

    >>> said = {"game": "kaga", "seats": [{"captured": "12B, 01r"}, {"points": "５"}], "dealer": 0}
    >>> write(read(said))
    {'game': 'kaga', 'seats': [{'captured': '1R 12B'}, {'points': 5}]}
    """
    document: dict[str, Any] = {"game": played.game.key}
    rules = {
        rule.key: played.rules[rule.key]
        for rule in played.game.house_rules
        if played.rules[rule.key] != rule.default
    }
    said = {
        "rules": rules,
        "dealer": played.dealer,
        "field": str(played.field),
        "carried": list(played.carried),
    }
    document |= {key: value for key, value in said.items() if value}
    if played.end != "counted":
        document["end"] = played.end
    if played.stopper is not None:
        document["stopped_by"] = played.stopper
    if played.multiplier is not None:
        document["multiplier"] = played.multiplier
    if played.decision is not None:
        document["decision"] = played.decision
    document["seats"] = [_written(played.game, seat, at) for at, seat in enumerate(played.seats)]
    return document


def _written(game: Game, seat: Seat, at: int) -> dict[str, Any]:
    written: dict[str, Any] = {}
    if seat.name != _numbered(at):
        written["name"] = str(seat.name)
    if seat.rest is not None:
        written[seat.rest] = REST
    elif seat.pile is not None:
        written |= _written_pile(seat.pile)
    if seat.hand is not None:
        written["hand"] = str(seat.hand.known)
    for kind, claims in zip(CLASSES, (seat.teyaku, seat.dekiyaku, seat.special), strict=True):
        if claims is not None:
            written[kind] = [
                key
                for yaku in game.by_kind[kind]
                for key in (yaku.key, yaku.with_extra)
                if key is not None
                for _ in range(claims.get(key, 0))
            ]
    if seat.continued:
        written["continued"] = True
    return written


def _written_pile(pile: Pile) -> dict[str, Any]:
    if pile.form == "points":
        return {"points": pile.points}
    assert pile.counts is not None
    if pile.form == "counts":
        return {"counts": {k.key: count for k, count in zip(KINDS, pile.counts, strict=True)}}
    if pile.form == "named":
        return {"named": str(Cards(pile.named or 0)), "chaff": pile.counts[3]}
    return {"captured": str(pile.known)}


# --- Out ----------------------------------------------------------------------------------------


def answer(result: Result, translate: Translator | None = None) -> dict[str, Any]:
    """Writes a result as the contract's answer, its texts in a language."""
    to = translate or ENGLISH
    game, tally = result.game, result.tally
    question = None
    if result.question is not None:
        about, between = result.question
        question = {"question": about, "between": between}
    return {
        "game": game.key,
        "unit": game.unit,
        "amounts": result.amounts,
        "zero_sum": game.zero_sum,
        "multiplier": tally.multiplier,
        "carry": result.carry,
        "seats": [
            {
                "card_points": points,
                TEYAKU: [*map(_yaku, teyaku)],
                DEKIYAKU: [*map(_yaku, dekiyaku)],
                SPECIAL: [*map(_yaku, special)],
                "score": score,
            }
            for points, teyaku, dekiyaku, special, score in zip(
                tally.points, *tally.yaku.values(), result.scores, strict=True
            )
        ],
        "payments": [
            {
                "from": payment.payer,
                "to": payment.to,
                "amount": payment.amount,
                "for": payment.reason.render(to),
            }
            for payment in result.payments
        ],
        "winners": result.winners,
        "next_dealer": result.next_dealer,
        "undecided": question,
        "working": [sentence.render(to) for _, sentence in result.working],
        "warnings": [
            {
                "code": warned.code,
                "seat": warned.seat,
                **({} if warned.month is None else {"month": warned.month}),
                "message": warned.sentence.render(to),
            }
            for warned in result.warnings
        ],
    }


def _yaku(formed: Formed) -> dict[str, Any]:
    written: dict[str, Any] = {"key": formed.yaku.key, "value": formed.value}
    if formed.times > 1:
        written["times"] = formed.times
    if formed.void is not None:
        written["counted"] = False
    return written
