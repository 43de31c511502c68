"""What a card carries besides its picture: month tab, rank mark, ribbon, cloud, specks."""

from __future__ import annotations

from art.ink import (
    BLUE,
    GOLD,
    GREY,
    INK,
    RED,
    WHITE,
    Shape,
    Stencil,
    blob,
    block,
    disc,
    named_stencil,
    specks,
    stencil,
    stroke,
)

# One line for each digit, in a box 4 wide and 7 high.
_DIGITS = (
    "M2 0C-.4 0-.4 7 2 7C4.4 7 4.4 0 2 0Z",
    "M.8 1.4L2.4 0V7",
    "M.2 1.7C.4-.6 4-.6 3.8 2C3.7 3.6 1 5 .2 7H4",
    "M.3 .9C1.6-.5 3.8 0 3.7 1.8C3.6 3.2 2.2 3.4 1.6 3.4C2.6 3.4 4 3.7 4 5.2C4 7.2 1.4 7.6 .1 6.2",
    "M3 7V0L0 4.8H4.2",
    "M3.7 0H.7L.4 3.2C2 2.2 4 2.9 4 4.8C4 7 1.6 7.6 .1 6.3",
    "M3.4 .2C1 1 .1 3.2 .1 4.9C.1 7.6 4 7.6 4 4.9C4 2.6 .8 2.5 .2 4.6",
    "M0 0H4L1.5 7",
    "M2 3.3C-.4 3.2-.2 0 2 0C4.2 0 4.4 3.2 2 3.3C-.8 3.4-.6 7 2 7C4.6 7 4.8 3.4 2 3.3Z",
    "M.6 6.8C3 6 3.9 3.8 3.9 2.1C3.9-.6 0-.6 0 2.1C0 4.4 3.2 4.5 3.8 2.4",
)


def _month_tab(month: int) -> Stencil:
    """The month's number on a white tab, from the card's corner to (9.4, 12.4) or (15.4, 12.4)."""
    digits = [int(digit) for digit in str(month)]
    right = 3.4 + 6 * len(digits)
    inner = f"{right - 2.8:g}"
    shapes = [
        blob(f"M0 0H{right:g}V9.6Q{right:g} 12.4 {inner} 12.4H0Z", WHITE),
        stroke(f"M0 12.4H{inner}Q{right:g} 12.4 {right:g} 9.6V0", INK, 0.8),
    ]
    for place, digit in enumerate(digits):
        line = stroke(_DIGITS[digit], INK, 1.5)
        shapes.append(f'<g transform="translate({2.6 + 6 * place:g} 2.6)">{line}</g>')
    return named_stencil(f"month-{month}", shapes)


MONTH_TABS = {month: _month_tab(month) for month in range(1, 13)}


@stencil
def bright_mark() -> tuple[Shape, ...]:
    """A gold coin with six rays around (0, 0)."""
    return (
        disc(0, 0, 5, GOLD, edge=0.8),
        stroke("M0-3.2V3.2M-2.8-1.6L2.8 1.6M2.8-1.6L-2.8 1.6", INK, 1.1),
    )


@stencil
def animal_mark() -> tuple[Shape, ...]:
    """A white triangle around (0, 0)."""
    return (blob("M0-4.6L4.8 3.6H-4.8Z", WHITE, edge=1.1),)


@stencil
def ribbon_mark() -> tuple[Shape, ...]:
    """A white upright bar around (0, 0)."""
    return (block(-2.2, -4.6, 4.4, 9.2, WHITE, edge=1.1),)


# By the letter of the card; chaff carries none.
RANK_MARKS = {"B": bright_mark, "A": animal_mark, "R": ribbon_mark}

_BAND = "M-6-17L5-17C5-4 8 6 14 16L3 19C-3 8-6-4-6-17Z"


@stencil
def plain_ribbon() -> tuple[Shape, ...]:
    """A strip of red paper, from (-6, -17) on the left down to (14, 19) on the right."""
    return (blob(_BAND, RED, edge=0.9),)


@stencil
def poetry_ribbon() -> tuple[Shape, ...]:
    """A strip of red paper with a line of brushwork down its middle."""
    writing = (
        "M-1.5-13C3-13 2-10-.5-9.5M-.5-8C4-9 2-4-.2-4.6M1-2.4C5-3 4 1 1.4 1"
        "M2.6 3.4C6 3 6.6 6 4.2 7M5 9.4C8 9 9 12 7 13.4"
    )
    return (plain_ribbon.at(), stroke(writing, WHITE, 1.5))


@stencil
def blue_ribbon() -> tuple[Shape, ...]:
    """A strip of blue paper with a white thread across each end."""
    return (blob(_BAND, BLUE, edge=0.9), stroke("M-5.4-13.6H4.6M10.4 12.4L1.6 14.8", WHITE, 1.3))


@stencil
def flecks() -> tuple[Shape, ...]:
    """Grey flecks all over the card, the ground of every ribbon card."""
    # Steps that divide no round number scatter evenly and never fall into rows.
    places = [(2 + 36 * (0.7549 * k % 1), 2 + 60 * (0.5698 * k % 1)) for k in range(36)]
    return (specks(places, GREY, 1.2),)


@stencil
def cloud() -> tuple[Shape, ...]:
    """The red cloud across the top of five animal cards, down to 10."""
    drifts = "M0 0H40V7C38 10 34 10 33 7C31 11 26 11 25 7C23 9 20 9 19 6C14 8 8 7 6 4C4 6 1 6 0 4Z"
    return (blob(drifts, RED),)
