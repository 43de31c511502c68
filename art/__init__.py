"""Draws the card faces of `static/cards.svg`; `python3 -m art` writes the file anew.

`art.faces` says what each card shows, `art.plants` and `art.creatures` hold the drawings it is
put together from, `art.marks` what is printed on top, `art.ink` the colours and the pens. All of
it is drawn for this program after descriptions of the old pictures, and traced from none.
"""

from __future__ import annotations

from art.faces import FACES, symbol
from art.ink import STENCILS


def sprite() -> str:
    """One SVG with a symbol for each card, such as ``hf-1B``: shows nothing by itself.

    Good both inside a page and as a file of its own to refer to. There is no text in it and no
    style: the page names the cards and frames them.
    """
    parts = [stencil.drawn() for stencil in STENCILS] + [symbol(card) for card in FACES]
    head = '<svg xmlns="http://www.w3.org/2000/svg" display="none" aria-hidden="true">'
    return "\n".join((head, *parts, "</svg>", ""))
