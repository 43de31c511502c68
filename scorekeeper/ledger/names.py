"""What people may be called, and may write: nearly anything that can be read and told apart."""

import unicodedata
from collections.abc import Sequence

from scorekeeper.rules import RuleError
from scorekeeper.rules.sentence import Name, Sentence, say

LONGEST = 60  # visible characters of a name
LONGEST_REASON = 200
# Marks and joiners come on top of the visible ones; a page must still hold the text.
_WRITTEN = 4

# Characters that turn round the text after them, for a name and for the sentence it stands in.
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and symbols by category, that nevertheless show nothing.
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")


def clean_names(names: Sequence[object]) -> list[str]:
    """Names as they will be shown: NFC, trimmed, different from each other.

    Raises RuleError `bad_name` or `name_taken`, with the index of the name as its seat.
    """
    cleaned: list[str] = []
    for index, name in enumerate(names):
        try:
            cleaned.append(clean_name(name, cleaned))
        except RuleError as refusal:
            raise refusal.at(index, "players") from None
    return cleaned


def clean_name(name: object, others: Sequence[str]) -> str:
    """A name as it will be shown, different from the others.

    Raises RuleError `bad_name` or `name_taken`.
    """
    if not isinstance(name, str):
        raise _bad_name(say("A name is a text."))
    name, shown = _normal(name)
    if shown is None:
        raise _bad_name(say("A name cannot hold control characters."))
    if not shown.strip():
        raise _bad_name(say("A name needs at least one visible character."))
    if len(shown) > LONGEST or len(name) > LONGEST * _WRITTEN:
        raise _bad_name(say("A name has at most 60 characters."))
    for other in others:
        if _folded(other) == _folded(name):
            sentence = say(
                "Somebody is called %(name)s already: add something to tell them apart.",
                name=Name(other),
            )
            raise RuleError("name_taken", sentence, field="name")
    return name


def clean_reason(reason: object) -> str | None:
    """A reason as it will be shown, None where nothing visible was written.

    Raises RuleError `bad_reason`.
    """
    if reason is None:
        return None
    if not isinstance(reason, str):
        raise RuleError("bad_reason", say("A reason is a text."), field="reason")
    reason, shown = _normal(" ".join(reason.split()))
    if shown is None:
        sentence = say("A reason cannot hold control characters.")
        raise RuleError("bad_reason", sentence, field="reason")
    if len(shown) > LONGEST_REASON or len(reason) > LONGEST_REASON * _WRITTEN:
        sentence = say("A reason has at most %(most)s characters.", most=LONGEST_REASON)
        raise RuleError("bad_reason", sentence, field="reason")
    return reason if shown.strip() else None


def _bad_name(sentence: Sentence) -> RuleError:
    return RuleError("bad_name", sentence, field="name")


def _normal(text: str) -> tuple[str, str | None]:
    """The text in NFC and trimmed, and what is visible of it; None if something may not be there.

    What may not be there are control characters, and those that turn round the text after them.
    """
    text = unicodedata.normalize("NFC", text).strip()
    kinds = [unicodedata.category(letter) for letter in text]
    if not _TURNING.isdisjoint(text) or not {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(kinds):
        return text, None
    return text, "".join(
        letter
        for letter, kind in zip(text, kinds, strict=True)
        if kind not in ("Mn", "Me", "Cf") and letter not in _BLANK
    )


def _folded(name: str) -> str:
    """What is left of a name for a reader who sees no width, case, spacing or joiners."""
    seen = unicodedata.normalize("NFKC", name).casefold()
    visible = "".join(c for c in seen if unicodedata.category(c) != "Cf" and c not in _BLANK)
    return unicodedata.normalize("NFKC", " ".join(visible.split()))
