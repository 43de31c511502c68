"""Rounds as a table tells them: a few words in, a contract document out.

    round_of("yokohama-bana", points=[104, 84, "rest"], teyaku={0: "sanbon"})

Cards and yaku are written in notation, separated by spaces; counts as bright/animal/ribbon/chaff
("1/4/3/12"); `named` as the cards and the number of chaff ("1B 2A 2R + 5"). A list has one entry
a seat (None: this seat says nothing of the kind); a dict has one for the seats it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from scorekeeper.rules import RuleError, settle

BAK, YOK, HH, KAGA = "bakappana", "yokohama-bana", "hachi-hachi", "kaga"

BRIGHTS = ["1B", "3B", "8B", "11B", "12B"]
ANIMALS = ["2A", "4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A"]
RIBBONS = ["1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R"]
CHAFF = [f"{month}C{n}" for month in (*range(1, 11), 12) for n in (1, 2)] + ["11C", "12C3"]
DECK = [*BRIGHTS, *ANIMALS, *RIBBONS, *CHAFF]

KINDS = ("bright", "animal", "ribbon", "chaff")
NAMES = ("Aki", "Ben", "Chie", "Dan")


def counts(text: str) -> dict[str, int]:
    """Bright, animal, ribbon and chaff, written "1/4/3/12"."""
    return dict(zip(KINDS, map(int, text.split("/")), strict=True))


def _form(kind: str, value: object) -> dict[str, object]:
    if kind == "counts" and isinstance(value, str) and value != "rest":
        return {"counts": counts(value)}
    if kind == "named" and isinstance(value, str) and value != "rest":
        cards, _, chaff = value.partition("+")
        return {"named": cards.strip(), "chaff": int(chaff)}
    return {kind: value}


def _words(value: object) -> object:
    return value.split() if isinstance(value, str) else value


def _by_seat(value: object) -> list[tuple[int, object]]:
    if value is None:
        return []
    if isinstance(value, Mapping):
        return list(value.items())
    assert isinstance(value, Sequence)
    return [(seat, entry) for seat, entry in enumerate(value) if entry is not None]


def round_of(
    game: str,
    *,
    captured=None,
    counts=None,
    named=None,
    points=None,
    hand=None,
    teyaku=None,
    dekiyaku=None,
    special=None,
    continued=None,
    seats: int | None = None,
    **more,
) -> dict:
    """A contract document; `more` goes into it as it is (rules, dealer, end, field ...)."""
    forms = {"captured": captured, "counts": counts, "named": named, "points": points}
    lists = [value for value in forms.values() if isinstance(value, (list, tuple))]
    number = seats or max(map(len, lists), default=2 if game == KAGA else 3)
    document = {"game": game, **more}
    document["seats"] = [{"name": NAMES[seat % 4]} for seat in range(number)]
    for kind, value in forms.items():
        for seat, entry in _by_seat(value):
            document["seats"][seat] |= _form(kind, entry)
    claims = {"teyaku": teyaku, "dekiyaku": dekiyaku, "special": special}
    for field, value in claims.items():
        for seat, entry in _by_seat(value):
            document["seats"][seat][field] = _words(entry)
    for seat, entry in _by_seat(hand):
        document["seats"][seat]["hand"] = entry
    for seat in continued or ():
        document["seats"][seat]["continued"] = True
    return document


def answer(game: str, **said) -> dict:
    return settle(round_of(game, **said))


def amounts(game: str, **said) -> list[int] | None:
    return answer(game, **said)["amounts"]


def told(result: dict, seat: int, field: str) -> set[str]:
    """One seat's yaku of a field as words: "sanbon 40 x2"; in brackets where not paid."""
    words = set()
    for yaku in result["seats"][seat][field]:
        text = f"{yaku['key']} {yaku['value']}"
        text += f" x{yaku['times']}" if "times" in yaku else ""
        words.add(f"({text})" if yaku.get("counted") is False else text)
    assert len(words) == len(result["seats"][seat][field]), "a yaku is listed once"
    return words


def these(text: str) -> set[str]:
    """As `told` says it: "sanbon 20, (karasu 40)"; "" is none."""
    return set(text.split(", ")) if text else set()


def refused(document: object) -> RuleError:
    with pytest.raises(RuleError) as caught:
        settle(document)
    return caught.value


def net(payments: list[dict], seats: int) -> list[int]:
    """What the payments come to, seat by seat."""
    totals = [0] * seats
    for payment in payments:
        totals[payment["to"]] += payment["amount"]
        totals[payment["from"]] -= payment["amount"]
    return totals


def without_working(result: dict) -> dict:
    """An answer without the words in it, which belong to the language and not to the rule."""
    kept = {key: value for key, value in result.items() if key != "working"}
    kept["payments"] = [
        {key: value for key, value in payment.items() if key != "for"}
        for payment in result["payments"]
    ]
    kept["warnings"] = [
        {key: value for key, value in warning.items() if key != "message"}
        for warning in result["warnings"]
    ]
    return kept
