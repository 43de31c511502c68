"""Sentences that know their numbers, so that another language is another rendering.

The rules never write finished text. They say which sentence, and hand over what belongs into it:

>>> line = say("%(name)s: %(points)s − %(par)s = %(amount)s",
...            name=Name("Aki"), points=97, par=88, amount=Signed(9))
>>> line.render()
'Aki: 97 − 88 = +9'

A value in a sentence is a player's name, a whole number, a :class:`Signed` number, another
sentence, a list of any of these, or anything that can ``say`` itself in a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Protocol

MINUS = "\N{MINUS SIGN}"


class Translator(Protocol):
    """What a language has to be able to do; the standard library's ``gettext`` objects can."""

    def gettext(self, message: str, /) -> str: ...


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


class Sayable(Protocol):
    """A thing of the rules (a yaku, a set of cards) that has a name in every language."""

    def say(self, to: Translator, /) -> str: ...


class Sum:
    """Numbers or sentences that are added up: ``87 + 97 + 80``, ``−1 + 9 − 8``."""

    __slots__ = ("terms",)

    def __init__(self, terms: Iterable[int | Sentence]) -> None:
        self.terms = list(terms)

    def say(self, to: Translator, /) -> str:
        text = ""
        for term in self.terms:
            if not text:
                text = shown(term, to)
            elif isinstance(term, int) and term < 0:
                text += f" {MINUS} {-term}"
            else:
                text += f" + {shown(term, to)}"
        return text or "0"


def shown(value: Any, to: Translator = ENGLISH) -> str:
    """Writes one value of a sentence as plain text."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        if value < 0:
            return f"{MINUS}{-value}"
        return f"+{value}" if value and isinstance(value, Signed) else str(value)
    if isinstance(value, Sentence):
        return value.render(to)
    if isinstance(value, (list, tuple)):
        return to.gettext(", ").join([shown(part, to) for part in value])
    said: str = value.say(to)
    return said


@lru_cache(maxsize=4096)
def _places(text: str) -> tuple[str, list[str]]:
    """A message with nameless places, and the names that they had."""
    return _PLACE.sub("%s", text), _PLACE.findall(text)


_PLACE = re.compile(r"%\((\w+)\)s")


class Sentence:
    """A message (English, with ``%(name)s`` places) and the values that belong into it."""

    __slots__ = ("message", "values")

    def __init__(self, message: str, values: dict[str, Any]) -> None:
        self.message = message
        self.values = values

    def render(self, to: Translator = ENGLISH) -> str:
        """Writes the sentence in a language."""
        text = to.gettext(self.message)
        values = self.values
        if not values:
            return text
        text, keys = _places(text)
        # Most values are names, and numbers above nothing, which are written as they are.
        return text % tuple(
            [
                value
                if ((kind := type(value := values[key])) is int and value >= 0) or kind is Name
                else shown(value, to)
                for key in keys
            ]
        )

    def __repr__(self) -> str:
        return f"say({self.render()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and self.render() == other.render()

    def __hash__(self) -> int:
        return hash(self.message)


def say(message: str, /, **values: Any) -> Sentence:
    """Makes a sentence; the catalogues of the languages are collected from these calls."""
    return Sentence(message, values)


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
