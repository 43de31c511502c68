"""Writes the card faces, and the icon of the program.

python3 -m art             draws static/cards.svg and static/icon*.svg and .png anew
python3 -m art sheet.svg   and a sheet of all faces, large and as small as they get, to look at
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from art import icon, sprite
from art.faces import FACES, HEIGHT, WIDTH
from art.ink import PREFIX

SPRITE = Path(__file__).resolve().parent.parent / "static" / "cards.svg"
ICON = SPRITE.with_name("icon.svg")

COLUMNS = 12
GAP = 4
# Felt and table: the faces must stand on both.
GROUNDS = ("#14241e", "#efece4")


def main(words: list[str]) -> None:
    drawn = sprite()
    SPRITE.write_text(drawn, encoding="utf-8", newline="\n")
    packed = len(gzip.compress(drawn.encode(), mtime=0))
    print(f"{SPRITE.name}: {len(FACES)} faces, {len(drawn)} bytes, {packed} compressed")
    ICON.write_text(icon.svg(), encoding="utf-8", newline="\n")
    for name in icon.PICTURES:
        content = icon.png(name)
        ICON.with_name(f"{name}.png").write_bytes(content)
        print(f"{name}.png: {len(content)} bytes")
    if words:
        Path(words[0]).write_text(sheet(drawn), encoding="utf-8", newline="\n")


def sheet(drawn: str) -> str:
    """All faces at three times their size on dark ground, then at their own on dark and light."""
    bands = ((3, GROUNDS[0]), (3, GROUNDS[1]), (1, GROUNDS[0]), (1, GROUNDS[1]))
    shapes = [drawn]
    top = 0
    for scale, ground in bands:
        wide, high = WIDTH * scale + GAP, HEIGHT * scale + GAP
        band = -(-len(FACES) // COLUMNS) * high + GAP
        shapes.append(f'<rect y="{top}" width="100%" height="{band}" fill="{ground}"/>')
        for place, card in enumerate(FACES):
            row, column = divmod(place, COLUMNS)
            x, y = GAP + column * wide, top + GAP + row * high
            size = f'width="{WIDTH * scale}" height="{HEIGHT * scale}"'
            shapes.append(f'<use href="#{PREFIX}{card}" x="{x}" y="{y}" {size}/>')
        top += band
    width = COLUMNS * (WIDTH * 3 + GAP) + GAP
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}">'
    return "\n".join((opening, *shapes, "</svg>", ""))


if __name__ == "__main__":
    main(sys.argv[1:])
