"""What the form of a round begins with: with the next round, or with one as it was entered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorekeeper.ledger import Book, Person, Round
from scorekeeper.round_form import TABLE, fresh_key, ways
from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import OF_KIND, Cards, Kind
from scorekeeper.rules.document import read, write
from scorekeeper.rules.game import Game
from scorekeeper.rules.round import REST
from scorekeeper.rules.yaku import CLASSES, DEKIYAKU, TEYAKU


def blank_round(book: Book, game: Game, seated: Sequence[Person]) -> dict[str, Any]:
    """What the form of the next round begins with."""
    seats = [person.id for person in seated]
    dealer = book.next_dealer if book.next_dealer in seats else None
    return {
        "number": str(book.next_number),
        "key": fresh_key(),
        "form": _last_form(book, game),
        "plays": [str(player) for player in seats],
        "dealer": "" if dealer is None else str(dealer),
    }


def filled_round(played: Round, game: Game) -> dict[str, Any]:
    """What the form for correcting a round begins with: the round as it was entered."""
    entry = _canonical(played)
    ids = [str(player) for player in played.players]
    seats = entry["seats"]
    form = _form_of(seats, game)
    data: dict[str, Any] = {
        "number": str(played.number),
        "revision": str(played.revision),
        "key": fresh_key(),
        "form": form,
        "plays": ids,
        "dealer": str(played.dealer),
        "end": entry.get("end", "counted"),
        "field": _texts(entry.get("field", "")),
        "multiplier": str(entry.get("multiplier", "")),
        "card": {},
        "hand": {},
        "claimed": {},
        "rest_to": TABLE,
        "teyaku_by": "shown",
    }
    if "stopped_by" in entry:
        data["stopped_by"] = ids[entry["stopped_by"]]
    decision = entry.get("decision")
    if decision in ("nobody", "each"):
        data["decision"] = decision
    # Where there was no tie, nobody has looked at what was said of one.
    elif type(decision) is int and 0 <= decision < len(ids):
        data["decision"] = ids[decision]
    for player, seat, result in zip(ids, seats, played.result["seats"], strict=True):
        data[f"p{player}"] = _filled_seat(seat, result, game, form)
        for yaku in game.by_kind[DEKIYAKU]:
            if yaku.most == 1 and yaku.key in seat.get(DEKIYAKU, ()):
                data["claimed"][yaku.key] = player
        if seat.get("captured") == REST:
            data["rest_to"] = player
        for given in ("captured", "named"):
            if seat.get(given, REST) != REST:
                data["card"] |= dict.fromkeys(_texts(seat[given]), player)
        if "hand" in seat:
            data["hand"] |= dict.fromkeys(_texts(seat["hand"]), player)
            if TEYAKU not in seat:
                data["teyaku_by"] = "hands"
    return data


def _canonical(played: Round) -> dict[str, Any]:
    """The document of a round, each thing in it written in one way.

    Programs may write cards as a list, or "Rest" for "rest". Nothing is left of a round that these
    rules would refuse: its form begins blank.
    """
    try:
        return write(read(played.entry))
    except RuleError:
        return {"seats": [{} for _ in played.players]}


_RICHEST = ("captured", "named", "counts", "points")
"""The forms of a pile, each of which tells all that the later ones do."""


def _given(seat: Mapping[str, Any]) -> str | None:
    """The form in which a seat gives its pile."""
    return next((form for form in _RICHEST if form in seat), None)


def _form_of(seats: Iterable[Mapping[str, Any]], game: Game) -> str:
    """The form of this page that tells the most of a round and that all of its seats can be in."""
    given = [_RICHEST.index(form) for seat in seats if (form := _given(seat))]
    telling = (form for form in _RICHEST[max(given, default=0) :] if form in ways(game))
    return next(telling, ways(game)[0]) if given else ways(game)[0]


def _filled_seat(
    seat: Mapping[str, Any], result: Mapping[str, Any], game: Game, form: str
) -> dict[str, Any]:
    """The fields of a seat; in a form that tells less than it was given in, its yaku are claims."""
    filled: dict[str, Any] = {"continued": seat.get("continued", False)}
    given = _given(seat)
    lesser = given is not None and given != form and seat[given] != REST
    filled |= {kind: str(count) for kind, count in _counts_of(seat).items()}
    if seat.get("points", REST) != REST:
        filled["points"] = str(seat["points"])
    elif lesser and form == "points":
        filled["points"] = str(result["card_points"])
    for kind in CLASSES:
        keys = list(seat.get(kind, ()))
        if lesser and form != "named" and kind != TEYAKU:
            keys = _claims_of(result[kind], game)
        for yaku in game.by_kind[kind]:
            if yaku.most > 2:
                filled[f"times_{yaku.key}"] = str(keys.count(yaku.key) or "")
                keys = [key for key in keys if key != yaku.key]
            elif keys.count(yaku.key) == 2:
                keys = [key for key in keys if key != yaku.key] + [f"{yaku.key} {yaku.key}"]
        filled[kind] = keys
    return filled


def _counts_of(seat: Mapping[str, Any]) -> dict[str, int]:
    """How many cards of each kind a seat says that it has, as far as it does."""
    if isinstance(seat.get("counts"), Mapping):
        return dict(seat["counts"])
    given = _given(seat)
    if given not in ("captured", "named") or seat[given] == REST:
        return {}
    cards = Cards.parse(seat[given])
    counts = {kind.key: len(cards & of_kind) for kind, of_kind in OF_KIND.items()}
    return counts | ({Kind.CHAFF.key: seat["chaff"]} if given == "named" else {})


def _claims_of(formed: Iterable[Mapping[str, Any]], game: Game) -> list[str]:
    """The keys that claim what was found in the cards."""
    keys = []
    for one in formed:
        yaku = next(yaku for yaku in game.yaku if yaku.key == one["key"])
        if not yaku.claimable:
            continue
        more = yaku.with_extra is not None and one["value"] > yaku.first
        keys += [yaku.with_extra if yaku.with_extra and more else yaku.key] * one.get("times", 1)
    return keys


def _last_form(book: Book, game: Game) -> str:
    """The form that this table used last."""
    forms = ways(game)
    for played in reversed(book.rounds):
        for seat in played.entry["seats"]:
            for form in forms:
                if form in seat:
                    # The months of a round are kept as the points they come to.
                    kept = "months" in forms and form == "points" and DEKIYAKU in seat
                    return "months" if kept else form
    return forms[0]


def _texts(cards: str) -> list[str]:
    """Cards one by one."""
    return [card.text for card in Cards.parse(cards)]
