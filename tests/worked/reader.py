"""Reads worked rounds: plain text in which a player says what was played and what it pays.

The head of each file says how a round is written. Reading is strict: whatever is no such line is a
:class:`Typo` with the name of the file and the number of the line, so that a slip of the pen never
looks like a fault of the rules. Even the arithmetic under "because" is done again.

    for worked in read(FILES["kaga"]):
        assert not mistakes(worked, settle)

Nothing here knows the rules: :func:`mistakes` is told how to settle.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.txt"))}
"""The file of each game, by the key of the game."""

KINDS = ("bright", "animal", "ribbon", "chaff")
PILES = ("captured", "named", "counts", "points")
CLASSES = ("teyaku", "dekiyaku", "special")


class Typo(Exception):
    """A line that is no line of a worked round."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")


@dataclass
class Worked:
    """One round: its document, and the parts of the answer that were worked out by hand.

    ``place`` is the file and line of its title, ``expected`` what each line says must come out.
    """

    title: str
    place: str
    document: dict[str, Any]
    expected: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [seat["name"] for seat in self.document["seats"]]

    def differs(self, key: str, came: str) -> str:
        """That something else came out than a line says."""
        line = f"{key} {said(key, self.expected[key], self.names)}"
        return f"{self.place}: {self.title}: expected: {line}; came out: {came}"


# --- From the file to its rounds ----------------------------------------------------------------


def read(path: Path) -> list[Worked]:
    """All rounds of a file; raises :class:`Typo`."""
    return read_text(path.read_text(encoding="utf-8"), path.stem, path.name)


def read_text(text: str, game: str, name: str) -> list[Worked]:
    """The rounds of a game in a text that goes by a name; raises :class:`Typo`."""
    usual: list[str] = []
    rounds: list[Worked] = []
    for place, title, lines in _blocks(text, name):
        if title is None:
            for at, key, value in lines:
                if key != "players":
                    raise Typo(at, f"“{key}” stands before the first round")
                usual = _players(at, value)
            continue
        if any(title == other.title for other in rounds):
            raise Typo(place, f"there is another round called “{title}”")
        rounds.append(_round(game, place, title, lines, usual))
    if not rounds:
        raise Typo(name, "there is no round in this file")
    return rounds


Lines = list[tuple[str, str, str]]
"""Place, key and value of each line."""


def _blocks(text: str, name: str) -> Iterator[tuple[str, str | None, Lines]]:
    """The head of the file, without a title, and then each round with its lines."""
    place, title = f"{name}:1", None
    lines: Lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        at = f"{name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("="):
            called = re.fullmatch(r"== (\S|\S.*\S) ==", line)
            if called is None:
                raise Typo(at, "a title is written == like this ==")
            yield place, title, lines
            place, title, lines = at, called[1], []
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not key or not value:
            raise Typo(at, "a line is a word, a colon, and what there is to say")
        lines.append((at, key, value))
    yield place, title, lines


def _round(game: str, place: str, title: str, lines: Lines, players: list[str]) -> Worked:
    for at, key, value in lines:
        if key == "players":
            players = _players(at, value)
    if not players:
        raise Typo(place, "who plays?")
    worked = Worked(title, place, {"game": game, "seats": [{"name": name} for name in players]})
    seen = set()
    for at, key, value in lines:
        if key in seen and key != "because":
            raise Typo(at, f"“{key}” is there twice")
        seen.add(key)
        if key in players:
            worked.document["seats"][players.index(key)] |= _told(at, value)
        elif key in GIVEN:
            worked.document |= GIVEN[key](at, value, players)
        elif key in EXPECTED:
            worked.expected[key] = EXPECTED[key](at, value, players)
        else:
            known = ", ".join([*players, *GIVEN, *EXPECTED])
            raise Typo(at, f"“{key}” is neither a player of this round nor one of: {known}")
    for key in ("from", "because"):
        if key not in seen:
            raise Typo(place, f"the round does not say “{key}”")
    if len(seen & {"amounts", "refused"}) != 1:
        raise Typo(place, "what comes out? Say “amounts”, or “refused”")
    return worked


# --- Words of a line ----------------------------------------------------------------------------


def _players(place: str, value: str) -> list[str]:
    names = _listed(value)
    if len(set(names)) < len(names):
        raise Typo(place, "two players have the same name")
    for name in names:
        if not re.fullmatch(r"\w+", name) or name in GIVEN or name in EXPECTED:
            raise Typo(place, f"“{name}” cannot be a name here: one word, and none of the others")
    return names


def _listed(value: str) -> list[str]:
    return [part.strip() for part in value.split(",")]


def _number(place: str, word: str) -> int:
    """A number, with any minus; raises :class:`Typo`."""
    if not re.fullmatch(r"[+−-]?[0-9]+", word):
        raise Typo(place, f"“{word}” is not a number")
    return int(word.replace("−", "-"))


def _seat(place: str, name: str, players: list[str]) -> int:
    if name not in players:
        raise Typo(place, f"“{name}” does not play in this round: {', '.join(players)} do")
    return players.index(name)


def _seats(place: str, value: str, players: list[str]) -> list[int]:
    return [_seat(place, name, players) for name in _listed(value)]


def _numbers(place: str, value: str, players: list[str]) -> list[int | None]:
    """A number of each player; "Ben none" where there is none."""
    numbers: dict[int, int | None] = {}
    for part in _listed(value):
        name, _, word = part.partition(" ")
        seat = _seat(place, name, players)
        if seat in numbers:
            raise Typo(place, f"“{name}” is there twice")
        numbers[seat] = None if word == "none" else _number(place, word.strip())
    for seat, name in enumerate(players):
        if seat not in numbers:
            raise Typo(place, f"“{name}” is missing")
    return [numbers[seat] for seat in range(len(players))]


# --- What was played ----------------------------------------------------------------------------


def _told(place: str, value: str) -> dict[str, Any]:
    """What is said of one player."""
    seat: dict[str, Any] = {}
    for part in value.split(";"):
        word, _, rest = part.strip().partition(" ")
        rest = rest.strip()
        if word in seat:
            raise Typo(place, f"“{word}” is there twice")
        if word == "continued" and not rest:
            seat["continued"] = True
        elif (word in ("captured", "hand") and rest) or (word in PILES and rest == "rest"):
            seat[word] = rest
        elif word == "points" and rest:
            seat[word] = _number(place, rest)
        elif word == "counts":
            counts = [_number(place, count) for count in rest.split()]
            if len(counts) != len(KINDS):
                raise Typo(place, f"counts are four numbers: {', '.join(KINDS)}")
            seat[word] = dict(zip(KINDS, counts, strict=True))
        elif word == "named":
            match = re.fullmatch(r"([^+]*)\+\s*(\S+) chaff", rest)
            if match is None:
                raise Typo(place, "named cards are written: named 1B 2A 2R + 5 chaff")
            seat |= {"named": match[1].strip(), "chaff": _number(place, match[2])}
        elif word in CLASSES and rest:
            seat[word] = [] if rest == "none" else rest.split()
        elif word != "nothing" or rest:
            raise Typo(place, f"“{part.strip()}” is nothing a player can have")
    return seat


def _rules(place: str, value: str, _: list[str]) -> dict[str, Any]:
    rules: dict[str, Any] = {}
    for part in _listed(value):
        key, equals, word = (half.strip() for half in part.partition("="))
        if not equals or not key or not word or key in rules:
            raise Typo(place, f"“{part}”: house rules are written  tie = nobody, chaff = 0")
        truth = {"true": True, "false": False}
        rules[key] = truth[word] if word in truth else int(word) if word.isdigit() else word
    return {"rules": rules}


def _ended(place: str, value: str, players: list[str]) -> dict[str, Any]:
    if value == "void":
        return {"end": "void"}
    if not value.startswith("by "):
        raise Typo(place, "a round is ended by somebody, or void")
    return {"end": "stopped", "stopped_by": _seat(place, value[3:], players)}


def _decision(place: str, value: str, players: list[str]) -> dict[str, Any]:
    free = value in ("nobody", "each")
    return {"decision": value if free else _seat(place, value, players)}


def _because(place: str, value: str, _: list[str]) -> dict[str, Any]:
    for wrong in wrong_sums(value):
        raise Typo(place, f"{wrong} is not so")
    return {}


GIVEN: dict[str, Callable[[str, str, list[str]], dict[str, Any]]] = {
    "players": lambda *_: {},
    "from": lambda *_: {},
    "because": _because,
    "rules": _rules,
    "dealer": lambda place, value, players: {"dealer": _seat(place, value, players)},
    "ended": _ended,
    "field": lambda _, value, __: {"field": value},
    "multiplier": lambda place, value, _: {"multiplier": _number(place, value)},
    "carried": lambda place, value, _: {"carried": [_number(place, n) for n in _listed(value)]},
    "decision": _decision,
}


# --- What comes out -----------------------------------------------------------------------------


def _amounts(place: str, value: str, players: list[str]) -> Any:
    if value.startswith("ask "):
        return _seats(place, value[4:], players)
    return {"amounts": _numbers(place, value, players)}


def _next_dealer(place: str, value: str, players: list[str]) -> Any:
    if value.startswith("ask "):
        return _seats(place, value[4:], players)
    return _seat(place, value, players)


def _yaku(place: str, value: str, players: list[str]) -> list[str]:
    """Each as "Aki sanbon 40 x2"; in brackets what is not paid."""
    if value == "none":
        return []
    listed = _listed(value)
    for one in listed:
        match = re.fullmatch(r"(\(?)(\S+) [a-z0-9-]+ (\S+?)( x[2-9])?(\)?)", one)
        if match is None or bool(match[1]) != bool(match[5]):
            raise Typo(place, f"“{one}”: a yaku is written  Aki sanbon 20,  or  (Aki sanbon 20)")
        _seat(place, match[2], players)
        _number(place, match[3])
    return sorted(listed)


def _payments(place: str, value: str, players: list[str]) -> list[tuple[int, int, int]]:
    if value == "none":
        return []
    payments = []
    for part in _listed(value):
        match = re.fullmatch(r"(\S+) pays (\S+) (\S+)", part)
        if match is None:
            raise Typo(place, f"“{part}”: a payment is written  Ben pays Aki 4")
        payer, to = (_seat(place, name, players) for name in match.group(1, 2))
        payments.append((payer, to, _number(place, match[3])))
    return sorted(payments)


def _warned(place: str, value: str, players: list[str]) -> list[tuple[str, int, int | None]]:
    if value == "none":
        return []
    warnings: list[tuple[str, int, int | None]] = []
    for part in _listed(value):
        code, name, *month = [*part.split(), "", ""]
        number = _number(place, month[0]) if month[0] else None
        warnings.append((code, _seat(place, name, players), number))
    return warnings


EXPECTED: dict[str, Callable[[str, str, list[str]], Any]] = {
    "amounts": _amounts,
    "refused": lambda _, value, __: value,
    "card points": _numbers,
    "scores": _numbers,
    "yaku": _yaku,
    "payments": _payments,
    "winners": lambda place, value, players: (
        [] if value == "nobody" else _seats(place, value, players)
    ),
    "next dealer": _next_dealer,
    "times": lambda place, value, _: _number(place, value),
    "carry": lambda place, value, _: (
        [] if value == "nothing" else [_number(place, one) for one in _listed(value)]
    ),
    "warned": _warned,
}


def _what_came(key: str, answer: dict[str, Any], names: list[str]) -> Any:
    """The part of an answer that a line speaks of, in the words of the line."""
    undecided = answer["undecided"] or {"question": None}
    if key == "amounts":
        asked = undecided["question"] == "tie"
        return undecided["between"] if asked else {"amounts": answer["amounts"]}
    if key == "next dealer":
        asked = undecided["question"] == "dealer"
        return undecided["between"] if asked else answer["next_dealer"]
    if key == "card points":
        return [seat["card_points"] for seat in answer["seats"]]
    if key == "scores":
        return [seat["score"] for seat in answer["seats"]]
    if key == "yaku":
        return sorted(
            _as_written(name, yaku)
            for name, seat in zip(names, answer["seats"], strict=True)
            for kind in CLASSES
            for yaku in seat[kind]
        )
    if key == "payments":
        return sorted((paid["from"], paid["to"], paid["amount"]) for paid in answer["payments"])
    if key == "warned":
        return [(one["code"], one["seat"], one.get("month")) for one in answer["warnings"]]
    return answer[{"times": "multiplier"}.get(key, key)]


def _as_written(name: str, yaku: dict[str, Any]) -> str:
    text = f"{name} {yaku['key']} {yaku['value']}"
    text += f" x{yaku['times']}" if "times" in yaku else ""
    return text if yaku.get("counted", True) else f"({text})"


def mistakes(worked: Worked, settle: Callable[[Any], dict[str, Any]]) -> list[str]:
    """Where the answer is not what was worked out by hand, in the words of the file.

    Empty where all is well. ``settle`` refuses by an exception that has a ``code`` and a message.
    """
    wanted, names = worked.expected, worked.names
    try:
        answer = settle(worked.document)
    except Exception as error:
        code = getattr(error, "code", None)
        if code is not None and code == wanted.get("refused"):
            return []
        key = "refused" if "refused" in wanted else "amounts"
        message = getattr(error, "message", error)
        came = f"refused {code} ({message})" if code else f"an error, {error!r}"
        return [worked.differs(key, came)]
    if "refused" in wanted:
        came = said("amounts", _what_came("amounts", answer, names), names)
        return [worked.differs("refused", f"amounts {came}")]
    found = {key: _what_came(key, answer, names) for key in wanted}
    return [
        worked.differs(key, f"{key} {said(key, found[key], names)}")
        for key in wanted
        if found[key] != wanted[key]
    ]


def _some(words: Iterable[str], none: str = "none") -> str:
    return ", ".join(words) or none


def _signed(number: int) -> str:
    return f"{number:+}".replace("-", "−") if number else "0"


def said(key: str, value: Any, names: list[str]) -> str:
    """What a line says, written as in the file."""
    if value is None:
        return "not yet"
    if key in ("amounts", "next dealer") and isinstance(value, list):
        return f"ask {_some(names[seat] for seat in value)}"
    if key == "amounts":
        amounts = value["amounts"]
        return _some(f"{name} {_signed(one)}" for name, one in zip(names, amounts, strict=True))
    if key == "next dealer":
        return names[value]
    if key in ("card points", "scores"):
        numbers = ["none" if one is None else str(one).replace("-", "−") for one in value]
        return _some(f"{name} {one}" for name, one in zip(names, numbers, strict=True))
    if key == "winners":
        return _some((names[seat] for seat in value), "nobody")
    if key == "payments":
        return _some(f"{names[payer]} pays {names[to]} {amount}" for payer, to, amount in value)
    if key == "carry":
        return _some(map(str, value), "nothing")
    if key == "warned":
        warned = ((code, names[seat], month) for code, seat, month in value)
        return _some(" ".join(str(one) for one in parts if one is not None) for parts in warned)
    return _some(value) if isinstance(value, list) else str(value)


# --- Arithmetic ---------------------------------------------------------------------------------

_SIDE = r"[+−(]*[0-9](?:[0-9 ()+−×÷]*[0-9)])?"
_SUM = re.compile(rf"(?<!\w){_SIDE}(?: *= *{_SIDE})+")
_SIGNS = str.maketrans({"−": "-", "×": "*", "÷": "/"})


def wrong_sums(text: str) -> Iterator[str]:
    """The sums in a text ("84 − 88 = −4") that are not so; ÷ leaves out the fraction."""
    for found in _SUM.finditer(text):
        try:
            worth = {_worth(side) for side in found[0].split("=")}
        except SyntaxError:
            worth = set()
        if len(worth) != 1:
            yield found[0]


def _worth(side: str) -> int:
    return _value(ast.parse(side.strip().translate(_SIGNS), mode="eval").body)


def _value(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=sign, operand=inner):
            return -_value(inner) if isinstance(sign, ast.USub) else _value(inner)
        case ast.BinOp(left=left, op=sign, right=right):
            one, other = _value(left), _value(right)
            if isinstance(sign, ast.Add):
                return one + other
            if isinstance(sign, ast.Sub):
                return one - other
            return one * other if isinstance(sign, ast.Mult) else one // other
    raise ValueError(ast.unparse(node))
