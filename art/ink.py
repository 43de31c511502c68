"""Ink and paper: the colours, strokes and stencils that all card faces are made of.

A card is 40 wide and 64 high; x runs right and y runs down, from its top left corner. Outlines
and lines are written as SVG path data, which reads like turtle commands: ``M`` move, ``L`` line,
``H`` and ``V`` level and upright line, ``C`` curve, ``Z`` close; small letters are relative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

PAPER = "#f8f2e4"
INK = "#23262e"
RED = "#cf2f2b"
BLUE = "#3a4a9f"
GREEN = "#2f6b4a"
LIME = "#6ea04f"
YELLOW = "#f0b429"
PINK = "#ef9bb0"
PURPLE = "#7a5aa6"
ORANGE = "#c8752c"
TRUNK = "#6a4a38"
WATER = "#6db3cf"
GREY = "#9aa0a6"
GOLD = "#e9b93a"
WHITE = "#fff"

# All ids in the pages this goes into start with this.
PREFIX = "hf-"

Shape = str
"""A piece of SVG."""


def blob(outline: str, colour: str | None, edge: float = 0, edge_colour: str = INK) -> Shape:
    """An area, with an edge as wide as told. Without a colour it takes that of its stencil."""
    return f'<path d="{outline}"{_paint(colour, edge, edge_colour)}/>'


def stroke(line: str, colour: str, width: float = 1) -> Shape:
    """A line with round ends."""
    return f'<path d="{line}" fill="none"{_edge(width, colour)}/>'


def cord(line: str, colour: str, width: float, edge: float = 0.7) -> Shape:
    """A thick line with an ink edge."""
    return stroke(line, INK, width + 2 * edge) + stroke(line, colour, width)


def specks(points: Iterable[tuple[float, float]], colour: str, across: float) -> Shape:
    """Many dots of one size, as one line of no length at each of the points."""
    return stroke("".join(f"M{_number(x)} {_number(y)}h0" for x, y in points), colour, across)


def disc(
    x: float, y: float, radius: float, colour: str | None, edge: float = 0, edge_colour: str = INK
) -> Shape:
    """A circle around (x, y)."""
    place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
    return f"<circle {place}{_paint(colour, edge, edge_colour)}/>"


def oval(
    x: float,
    y: float,
    half_width: float,
    half_height: float,
    colour: str | None,
    edge: float = 0,
    turn: float = 0,
) -> Shape:
    """An ellipse around (x, y), turned clockwise by that many degrees."""
    place = f'cx="{_number(x)}" cy="{_number(y)}"'
    size = f'rx="{_number(half_width)}" ry="{_number(half_height)}"'
    turned = f' transform="rotate({_number(turn)} {_number(x)} {_number(y)})"' if turn else ""
    return f"<ellipse {place} {size}{_paint(colour, edge, INK)}{turned}/>"


def block(x: float, y: float, width: float, height: float, colour: str, edge: float = 0) -> Shape:
    """A rectangle whose top left corner is (x, y)."""
    place = f'x="{_number(x)}" y="{_number(y)}"' if x or y else ""
    size = f'width="{_number(width)}" height="{_number(height)}"'
    return f"<rect {f'{place} {size}'.strip()}{_paint(colour, edge, INK)}/>"


def polygon(points: Sequence[tuple[float, float]]) -> str:
    """The outline through these points."""
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points) + "Z"


def around(count: int, radius: float) -> list[tuple[float, float]]:
    """So many points on a circle around (0, 0), clockwise from the top."""
    turns = [2 * math.pi * k / count for k in range(count)]
    return [(radius * math.sin(turn), -radius * math.cos(turn)) for turn in turns]


class Stencil:
    """A drawing around a (0, 0) of its own that is put down in several places."""

    def __init__(self, name: str, shapes: Sequence[Shape]) -> None:
        self.id = PREFIX + name
        self.shapes = shapes

    def at(
        self,
        x: float = 0,
        y: float = 0,
        size: float = 1,
        turn: float = 0,
        *,
        mirrored: bool = False,
        colour: str | None = None,
    ) -> Shape:
        """The drawing with its (0, 0) at (x, y): mirrored, sized, and turned clockwise there."""
        steps = []
        if x or y:
            steps.append(f"translate({_number(x)} {_number(y)})")
        if turn:
            steps.append(f"rotate({_number(turn)})")
        if mirrored:
            steps.append(f"scale({_number(-size, 2)} {_number(size, 2)})")
        elif size != 1:
            steps.append(f"scale({_number(size, 2)})")
        transform = f' transform="{" ".join(steps)}"' if steps else ""
        fill = f' fill="{colour}"' if colour else ""
        return f'<use href="#{self.id}"{transform}{fill}/>'

    def drawn(self) -> Shape:
        return f'<g id="{self.id}">{"".join(self.shapes)}</g>'


STENCILS: list[Stencil] = []


def stencil(draw: Callable[[], Sequence[Shape]]) -> Stencil:
    """Makes a stencil of a function that returns shapes, the hindmost first."""
    return named_stencil(draw.__name__.replace("_", "-"), draw())


def named_stencil(name: str, shapes: Sequence[Shape]) -> Stencil:
    """Makes a stencil of shapes, the hindmost first."""
    made = Stencil(name, shapes)
    STENCILS.append(made)
    return made


def _paint(colour: str | None, edge: float, edge_colour: str) -> str:
    fill = f' fill="{colour}"' if colour else ""
    return fill + (_edge(edge, edge_colour) if edge else "")


def _edge(width: float, colour: str) -> str:
    return f' stroke="{colour}"' + (f' stroke-width="{_number(width)}"' if width != 1 else "")


def _number(value: float, places: int = 1) -> str:
    """A number, rounded, written the shortest way: the same on every machine."""
    return f"{round(value, places) + 0:g}"
