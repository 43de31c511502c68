"""What people may be called: nearly anything, as long as it can be read and told apart."""

import unicodedata
from collections.abc import Sequence

from scorekeeper.rules import RuleError
from scorekeeper.rules.sentence import Name, Sentence, say

LONGEST = 60  # visible characters
# Marks and joiners come on top of the visible ones; a page must still hold the name.
_LONGEST_WRITTEN = 240

# Characters that turn round the text after them, for a name and for the sentence it stands in.
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and symbols by category, that nevertheless show nothing.
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")


def clean_names(names: Sequence[object]) -> list[str]:
    """Names as they will be shown: NFC, trimmed, different from each other.

    Raises RuleError `bad_name` or `name_taken`, with the index of the name as its seat.
    """
    cleaned: list[str] = []
    taken: dict[str, str] = {}
    for index, name in enumerate(names):
        new = _clean(name, index)
        earlier = taken.setdefault(_folded(new), new)
        if len(taken) == len(cleaned):
            raise RuleError(
                "name_taken",
                say(
                    "Somebody is called %(name)s already: add something to tell them apart.",
                    name=Name(earlier),
                ),
                index,
                "players",
            )
        cleaned.append(new)
    return cleaned


def _clean(name: object, index: int) -> str:
    def refused(sentence: Sentence) -> RuleError:
        return RuleError("bad_name", sentence, index, "players")

    if not isinstance(name, str):
        raise refused(say("A name is a text."))
    name = unicodedata.normalize("NFC", name).strip()
    kinds = [unicodedata.category(letter) for letter in name]
    if not _TURNING.isdisjoint(name) or not {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(kinds):
        raise refused(say("A name cannot hold control characters."))
    shown = [
        letter
        for letter, kind in zip(name, kinds, strict=True)
        if kind not in ("Mn", "Me", "Cf") and letter not in _BLANK
    ]
    if not any(not letter.isspace() for letter in shown):
        raise refused(say("A name needs at least one visible character."))
    if len(shown) > LONGEST or len(name) > _LONGEST_WRITTEN:
        raise refused(say("A name has at most 60 characters."))
    return name


def _folded(name: str) -> str:
    """What is left of a name for a reader who sees no width, case, spacing or joiners."""
    seen = unicodedata.normalize("NFKC", name).casefold()
    visible = "".join(c for c in seen if unicodedata.category(c) != "Cf" and c not in _BLANK)
    return unicodedata.normalize("NFKC", " ".join(visible.split()))
