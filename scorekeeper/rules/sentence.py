"""Sentences that know their numbers, so that another language is another rendering.

The rules never write finished text. They say which sentence, and hand over what belongs into it:

>>> line = say("%(name)s: %(points)s − %(par)s = %(amount)s",
...            name=Name("Aki"), points=97, par=88, amount=Signed(9))
>>> line.render()
'Aki: 97 − 88 = +9'

A value in a sentence is a player's name, a whole number, a :class:`Signed` number, another
sentence, or anything that can ``say`` itself in a language; a list of any of these is written with
commas, a tuple with spaces: ``[(Name("Aki"), Signed(9)), (Name("Ben"), Signed(-9))]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, Protocol

MINUS = "\N{MINUS SIGN}"


class Translator(Protocol):
    """What a language has to be able to do; the standard library's ``gettext`` objects can."""

    def gettext(self, message: str, /) -> str: ...

    def __hash__(self) -> int: ...


class English:
    """The language the sentences are written in."""

    def gettext(self, message: str, /) -> str:
        return message


ENGLISH = English()


class Name(str):
    """A player's name, which a page sets apart from the sentence around it."""

    __slots__ = ()


class Signed(int):
    """A number that always shows its sign."""

    __slots__ = ()

    def __str__(self) -> str:
        if self < 0:
            return f"{MINUS}{-self}"
        return f"+{int(self)}" if self else "0"


def brief(value: Any, longest: int = 20) -> str:
    """A value of anybody's making, short enough for a sentence."""
    if type(value) is int:
        # Of a really long one Python would refuse to make a text.
        return shown(value) if abs(value) < 10**12 else "…"
    text = str(value) if isinstance(value, str | int | float) else "…"
    return text if len(text) <= longest else text[: longest - 1] + "…"


class Sayable(Protocol):
    """A thing of the rules (a yaku, a set of cards) that has a name in every language."""

    def say(self, to: Translator, /) -> str: ...


class Sum:
    """Numbers or sentences that are added up: ``87 + 97 + 80``, ``−1 + 9 − 8``."""

    __slots__ = ("terms",)

    def __init__(self, terms: Iterable[int | Sentence]) -> None:
        self.terms = list(terms)

    def say(self, to: Translator, /) -> str:
        sum_ = " + ".join(
            [str(one) if type(one) is int and one >= 0 else shown(one, to) for one in self.terms]
        )
        return sum_.replace(f" + {MINUS}", f" {MINUS} ") or "0"


# What is written by itself, the same in every language; numbers, too, but for the minus sign.
_WRITTEN = frozenset((Name, Signed, str))
_PLAIN = _WRITTEN | {int}


def shown(value: Any, to: Translator = ENGLISH) -> str:
    """Writes one value of a sentence as plain text."""
    kind = type(value)
    if kind in _WRITTEN:
        return str(value)
    if kind is int:
        return str(value) if value >= 0 else f"{MINUS}{-value}"
    if kind is list:
        return to.gettext(", ").join([shown(part, to) for part in value])
    if kind is tuple:
        return " ".join(
            [str(part) if type(part) in _WRITTEN else shown(part, to) for part in value]
        )
    said: str = str(value) if isinstance(value, str) else value.say(to)
    return said


_PLACE = re.compile(r"%\((\w+)\)s")


@cache
def _template(
    message: str, to: Translator
) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
    """A message in a language, its places nameless, and what takes their values from a mapping."""
    text = to.gettext(message)
    keys = _PLACE.findall(text)
    if len(keys) == 1:
        return _PLACE.sub("%s", text), lambda values: (values[keys[0]],)
    return _PLACE.sub("%s", text), itemgetter(*keys) if keys else lambda values: ()


class Sentence:
    """A message (English, with ``%(name)s`` places) and the values in them; made by :func:`say`."""

    __slots__ = ("message", "values")

    message: str
    values: dict[str, Any]

    def render(self, to: Translator = ENGLISH) -> str:
        """Writes the sentence in a language."""
        if not self.values:
            return to.gettext(self.message)
        text, taken = _template(self.message, to)
        values = taken(self.values)
        if _PLAIN.issuperset(map(type, values)):
            written = text % values
            # A hyphen may stand for a minus sign.
            if "-" not in written:
                return written
        return text % tuple(
            [value if type(value) in _WRITTEN else shown(value, to) for value in values]
        )

    say = render
    """A sentence in a sentence is said like anything else that has a name."""

    def __repr__(self) -> str:
        return f"say({self.render()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and self.render() == other.render()

    def __hash__(self) -> int:
        return hash(self.render())


_new = object.__new__


def say(message: str, /, **values: Any) -> Sentence:
    """Makes a sentence; the catalogues of the languages are collected from these calls."""
    # Everything that is settled says a dozen of them, and a class with an __init__ of its own takes
    # twice as long.
    sentence = _new(Sentence)
    sentence.message = message
    sentence.values = values
    return sentence


class Told(Exception):
    """What stands in the way of a program, as a sentence for whoever started it."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence.render()


class RuleError(Exception):
    """A round that the rules refuse, with a code of the contract and a sentence for the table.

    ``seat`` is the index of the seat it is about and ``field`` the field of the document, where
    there is one.
    """

    def __init__(
        self, code: str, sentence: Sentence, seat: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(code, sentence, seat, field)
        self.code = code
        self.sentence = sentence
        self.seat = seat
        self.field = field

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.sentence.render()

    def at(self, seat: int | None, field: str | None) -> RuleError:
        """The same refusal, pointing at its place in the document."""
        return RuleError(self.code, self.sentence, seat, field)

    def as_dict(self, translate: Translator | None = None) -> dict[str, Any]:
        """The body under "Refusals" of the contract; a part that does not apply is absent."""
        error: dict[str, Any] = {
            "code": self.code,
            "message": self.sentence.render(translate or ENGLISH),
        }
        if self.seat is not None:
            error["seat"] = self.seat
        if self.field is not None:
            error["field"] = self.field
        return {"error": error}

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
