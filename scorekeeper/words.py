"""The languages: which there are, which one a reader gets, and how a sentence looks in it.

English stands in the code. Every other language is one catalogue, `translations/LANGUAGE.po`, read
when it is first asked for.
"""

from __future__ import annotations

import gettext
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import has_request_context, request, url_for
from markupsafe import Markup, escape

from scorekeeper.cookies import read_cookie
from scorekeeper.rules.cards import Card, Cards
from scorekeeper.rules.sentence import MINUS, Name, Sentence, Sum, Translator, shown

LANGUAGES = {"en": "English", "ja": "日本語"}
"""Every language by its tag, under its own name."""

_HERE = "scorekeeper.language"  # where a request keeps what was found out

CATALOGUES = Path(__file__).with_name("translations")


@cache
def translator(language: str) -> gettext.NullTranslations:
    """The catalogue of a language; English for one that there is not."""
    file = CATALOGUES / f"{language}.po"
    if language not in LANGUAGES or not file.is_file():
        return gettext.NullTranslations()
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def accepted_language() -> str:
    """The first language that the browser asks for and that there is.

    "ja-JP, en;q=0.5" asks for Japanese before English.
    """
    wanted = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality)
    return next((tag for tag in wanted if tag in LANGUAGES), "en")


def language() -> str:
    """The language of whoever asks: the one they chose, else the one their browser asks for."""
    if not has_request_context():
        return "en"
    # Every message of a page asks for it.
    if _HERE not in request.environ:
        chosen = read_cookie("language")
        request.environ[_HERE] = chosen if chosen in LANGUAGES else accepted_language()
    here: str = request.environ[_HERE]
    return here


def gettext_here(message: str) -> str:
    """A message in the language of whoever asks."""
    return translator(language()).gettext(message)


def ngettext_here(singular: str, plural: str, n: int) -> str:
    """A message in the language of whoever asks, in the form that this number takes."""
    return translator(language()).ngettext(singular, plural, n)


def marked(value: Any, to: Translator) -> Markup:
    """A value of a sentence on a page: names stand apart whatever way they are written."""
    if isinstance(value, Name):
        return Markup("<bdi>{}</bdi>").format(value)
    if isinstance(value, Sentence):
        return html(value, to)
    if isinstance(value, Cards):
        return Markup('<span class="held">{}</span>').format(Markup("").join(map(face, value)))
    if isinstance(value, Card):
        return Markup('<span class="held">{} {}</span>').format(face(value, False), value.say(to))
    if isinstance(value, Sum):
        terms = Markup(" + ").join(marked(term, to) for term in value.terms)
        return terms.replace(f" + {MINUS}", f" {MINUS} ") or Markup("0")
    if isinstance(value, list):
        return escape(to.gettext(", ")).join(marked(part, to) for part in value)
    if isinstance(value, tuple):
        return Markup(" ").join(marked(part, to) for part in value)
    return _read_aloud(escape(shown(value, to)))


def face(card: Card, spoken: bool = True) -> Markup:
    """A card as its face, which is read out as its name unless that stands beside it."""
    name = card.say(translator(language()))
    read = Markup('role="img" aria-label="{}"').format(name) if spoken else 'aria-hidden="true"'
    drawing = url_for("static", filename="cards.svg")
    return Markup(
        '<svg class="face" viewBox="0 0 40 64" {}><title>{} {} {}</title>'
        '<use href="{}#hf-{}"/></svg>'
    ).format(Markup(read), name, card.kanji, card.reading, drawing, card.text)


_JAPANESE = re.compile("[\u3005\u3041-\u30ff\u3400-\u9fff]+")


def _read_aloud(text: Markup) -> Markup:
    """Text of the rules, its Japanese runs marked as such on a page in another language."""
    if language() == "ja":
        return text
    return Markup(_JAPANESE.sub(r'<span lang="ja">\g<0></span>', str(text)))


def html(sentence: Sentence, to: Translator | None = None) -> Markup:
    """A sentence on a page; whatever players typed into it is escaped."""
    to = to or translator(language())
    return escape(to.gettext(sentence.message)) % {
        key: marked(value, to) for key, value in sentence.values.items()
    }
