"""The plants of the twelve months."""

from __future__ import annotations

from art.ink import (
    BLUE,
    GREEN,
    GREY,
    INK,
    LIME,
    PAPER,
    PINK,
    PURPLE,
    RED,
    TRUNK,
    YELLOW,
    Shape,
    around,
    blob,
    disc,
    oval,
    polygon,
    specks,
    stencil,
    stroke,
)

SIDES = (-1, 1)


# 1 pine, 2 plum, 3 cherry


@stencil
def pine() -> tuple[Shape, ...]:
    """A mound of needles that all point up, standing on (0, 0), 20 wide and 28 high."""
    half_widths = ((7.4, 0), (8.2, -4), (7.8, -8), (6.8, -12), (5.4, -16), (3.6, -20))
    right = [
        point
        for half, y in half_widths
        for point in ((half, y), (half + 1.7, y - 5))  # into the mound, out to a needle's end
    ]
    left = [(-x, y) for x, y in reversed(right)]
    needles = (
        "M0-1V-20M-2.4-1L-6-8M2.4-1L6-8M-2-7L-4.8-13.4M2-7L4.8-13.4M-1.6-13L-3.2-18.6"
        "M1.6-13L3.2-18.6M-5.6-1L-7.2-4M5.6-1L7.2-4"
    )
    return (
        blob(polygon([*right, (1.6, -23), (0, -26), (-1.6, -23), *left]), GREEN, 0.5, PAPER),
        stroke(needles, LIME, 0.9),
        oval(0, -25, 1.4, 2.8, YELLOW),
    )


@stencil
def plum_flower() -> tuple[Shape, ...]:
    """Five round red petals and a yellow eye, 12 across."""
    petals = [disc(x, y, 2.8, RED, 0.5, PAPER) for x, y in around(5, 3.3)]
    return (
        *petals,
        disc(0, 0, 2.1, YELLOW),
        stroke("M0-2.6V0L2.5-.8M0 0L1.5 2.1M0 0L-1.5 2.1M0 0L-2.5-.8", RED, 0.6),
    )


@stencil
def plum_bud() -> tuple[Shape, ...]:
    """A round red bud, 4 across."""
    return (disc(0, 0, 2, RED),)


@stencil
def cherry_petal() -> tuple[Shape, ...]:
    """A petal from (0, 0) up to its notch, in the colour of the flower."""
    return (blob("M0 0C-4.4-2-4.4-6-1.7-7.4L0-5.8L1.7-7.4C4.4-6 4.4-2 0 0Z", None, 0.5, PAPER),)


@stencil
def cherry_flower() -> tuple[Shape, ...]:
    """Five notched petals, 15 across, in the colour it is put down in."""
    petals = [cherry_petal.at(turn=72 * k) for k in range(5)]
    return (*petals, disc(0, 0, 2, RED), disc(0, 0, 1.2, YELLOW))


@stencil
def leaf() -> tuple[Shape, ...]:
    """A plain pointed leaf from (0, 0) up to (0, -9)."""
    return (blob("M0 0C-3-2.6-2.6-6 0-9C2.6-6 3-2.6 0 0Z", LIME), stroke("M0-1V-6", GREEN, 0.6))


# 4 wisteria, 5 iris, 6 peony


@stencil
def wisteria_flower() -> tuple[Shape, ...]:
    """A slender cluster that hangs from (0, 0), 9 wide, and tapers to (0, 25)."""
    rows = [(2 + 3 * row, 3.2 - 0.44 * row) for row in range(7)]
    florets = [
        oval(side * half, y, 1.5, 1.9, PURPLE, turn=-30 * side)
        for y, half in rows
        for side in SIDES
    ]
    lips = [(side * half * 0.9, y + 0.7) for y, half in rows[:6] for side in SIDES]
    return (
        stroke("M0-3V19", GREEN, 0.9),
        *florets,
        oval(0, 22.6, 1.3, 2.2, PURPLE),
        specks(lips, PINK, 1.1),
    )


@stencil
def wisteria_leaf() -> tuple[Shape, ...]:
    """Three pairs of leaflets and one at the tip, from (0, 0) up to (0, -11)."""
    leaflets = [
        oval(side * 2.9, -1.4 - 2.7 * pair, 2.9, 1.2, GREEN, turn=-25 * side)
        for pair in range(3)
        for side in SIDES
    ]
    return (stroke("M0 1V-8", GREEN), *leaflets, oval(0, -9.4, 1.2, 2, GREEN))


@stencil
def iris_leaves() -> tuple[Shape, ...]:
    """Seven blades fanned out from (0, 0), 34 wide and 27 high."""
    blades = (
        "M-1 0L-3-27L2 0ZM-5 0L-12-21L-2 0ZM1 0L7-24L5 0ZM4 0L14-18L8.5 0Z"
        "M-9 0L-17-13L-5.5 0ZM8 0L18-9L11 0ZM-3 0L-7.4-15L0 0Z"
    )
    return (blob(blades, GREEN),)


@stencil
def iris_flower() -> tuple[Shape, ...]:
    """One petal up, three hanging, around (0, 0), 18 wide; its stem goes down to (0, 34)."""
    hanging = (
        "M0 0C-6-6-11-2-9 5C-6 4-2 3 0 0ZM0 0C6-6 11-2 9 5C6 4 2 3 0 0Z"
        "M0 0C-3.4 3-2.4 8 0 9.4C2.4 8 3.4 3 0 0Z"
    )
    return (
        stroke("M0 6V34", GREEN, 1.5),
        blob("M0 1C-4.6-6-2.6-10.6 0-12C2.6-10.6 4.6-6 0 1Z", PURPLE),
        blob(hanging, BLUE, 0.5, PAPER),
        stroke("M0 2V5.6M-2.2 .2L-5.4 1.2M2.2 .2L5.4 1.2", YELLOW, 1.1),
    )


@stencil
def peony_flower() -> tuple[Shape, ...]:
    """Three rings of frilled red petals around a yellow heart, 23 across."""
    outer = [disc(x, y, 3.9, RED, 0.6, PINK) for x, y in around(9, 7.4)]
    middle = [disc(x, y, 3.2, RED, 0.7, PINK) for x, y in around(7, 4.2)]
    inner = [disc(x, y, 2.1, RED, 0.7, PINK) for x, y in around(5, 1.9)]
    return (*outer, *middle, *inner, specks(around(5, 0.9), YELLOW, 1.3))


@stencil
def peony_leaf() -> tuple[Shape, ...]:
    """A dark leaf of three points, from (0, 0) up to (0, -15)."""
    points = "M0 0C-6-1-8-7-5-13L-2.4-9.6L0-15L2.4-9.6L5-13C8-7 6-1 0 0Z"
    return (blob(points, GREEN), stroke("M0-1V-10M-.6-3L-3.6-8M.6-3L3.6-8", LIME, 0.7))


@stencil
def peony_bud() -> tuple[Shape, ...]:
    """A red bud in green sepals, upright around (0, 0), 8 high."""
    return (
        disc(0, -1, 3.4, RED),
        stroke("M-1.6 1C-2-2-.6-3.6 1-4", PINK, 0.7),
        blob("M-4-1C-3.6 4 3.6 4 4-1L2 .8L0-1L-2 .8Z", GREEN),
    )


# 7 bush clover, 8 pampas grass, 9 chrysanthemum


@stencil
def clover_stem() -> tuple[Shape, ...]:
    """A stem that rises from (0, 0) to (0, -37), green leaves below and red flowers above."""
    drops = [
        oval(
            side * 3.1 + 3.4 * (1 - (row - 3) ** 2 / 12),
            -4 - 4.5 * row,
            1.6,
            2.4,
            RED if row > 2 else GREEN,
            turn=38 * side,
        )
        for row in range(7)
        for side in SIDES
    ]
    return (stroke("M0 0C5-12 4-22 0-34", GREEN), *drops, oval(-0.4, -35.4, 1.5, 2.5, RED))


@stencil
def hill() -> tuple[Shape, ...]:
    """A dark hill across the card from its foot up to y 34, grass bristling on its crest."""
    steps = range(-1, 22)
    crest = [
        point
        for x, y in ((2 * k, 36 + (2 * k - 20) ** 2 / 50) for k in steps)
        for point in ((x, y), (x + 1.5, y - 2.6))  # along the hill, up to the end of a blade
    ]
    grass = (
        "M4 60C8 50 16 45 24 43M12 62C16 54 24 48 33 46M22 63C26 57 32 53 39 51"
        "M2 52C5 47 9 44 14 42"
    )
    return (blob(polygon([(-2, 65), *crest, (44, 65)]), INK), stroke(grass, GREY, 1))


@stencil
def chrysanthemum_petal() -> tuple[Shape, ...]:
    """A long petal from (0, 0) up to (0, -9), in the colour it is put down in."""
    return (oval(0, -5.6, 1.8, 3.5, None),)


@stencil
def chrysanthemum_flower() -> tuple[Shape, ...]:
    """Twelve petals, red and yellow by turns, around eight short ones, 18 across."""
    colours = (RED, YELLOW)
    outer = [chrysanthemum_petal.at(turn=30 * k, colour=colours[k % 2]) for k in range(12)]
    inner = [
        chrysanthemum_petal.at(size=0.58, turn=45 * k + 15, colour=colours[k % 2]) for k in range(8)
    ]
    return (*outer, disc(0, 0, 3.6, RED), *inner, disc(0, 0, 1.3, YELLOW))


@stencil
def chrysanthemum_leaf() -> tuple[Shape, ...]:
    """A leaf of five round lobes, from (0, 0) up to (0, -13)."""
    lobes = "M0 0C-3 1-6-1-5-3C-8-4-8-8-5-9C-5-12-1-13 0-11C1-13 5-12 5-9C8-8 8-4 5-3C6-1 3 1 0 0Z"
    return (blob(lobes, GREEN), stroke("M0-1V-8M0-2.4L-3.4-5.4M0-2.4L3.4-5.4", LIME, 0.7))


# 10 maple, 11 willow, 12 paulownia


@stencil
def maple_leaf() -> tuple[Shape, ...]:
    """Seven points and a stem around (0, 0), 23 high, in the colour it is put down in."""
    points = (
        "M-.7 4.6L-.5 10.5H.6L.7 4.6C3 6 5.4 6.2 7 5.6L4.6 2.8L10.4-1.6L5.6-2L7.4-8L3-5.2L0-12"
        "L-3-5.2L-7.4-8L-5.6-2L-10.4-1.6L-4.6 2.8L-7 5.6C-5.4 6.2-3 6-.7 4.6Z"
    )
    return (
        blob(points, None),
        stroke("M0 5V-8M0 3L5-4M0 3L-5-4M0 4L7-.8M0 4L-7-.8", PAPER, 0.8),
    )


@stencil
def willow_trunk() -> tuple[Shape, ...]:
    """A trunk down the left edge of the card, 7 wide."""
    return (
        blob("M0 8C5 20 7 34 4.6 48C4 54 5 60 8 64H0Z", TRUNK),
        stroke("M1.6 24C3.4 32 3.2 40 1.6 46M3 54L2 60", INK, 0.7),
    )


@stencil
def willow_frond() -> tuple[Shape, ...]:
    """A twig that hangs from (0, 0) to (0, 30) with narrow leaves on both sides."""
    leaves = "".join(
        f"M{sway} {y}l-2 4.4M{sway} {y}l2 4.4"
        for sway, y in ((1, 3), (1.4, 8), (1.2, 13), (0.6, 18), (0.2, 23))
    )
    return (stroke("M0 0C2 10 1.6 18 0 29" + leaves, GREEN, 1.2),)


@stencil
def paulownia_leaf() -> tuple[Shape, ...]:
    """A broad leaf of three points below (0, 0), 28 wide, hanging to (0, 15)."""
    points = (
        "M0 0C-3-3.4-11-3.6-13 .6C-12 1.6-13.4 3.6-14.6 5.6C-11.4 7.2-9 7.2-7 6.4"
        "C-6.4 9.6-3 13-0 15C3 13 6.4 9.6 7 6.4C9 7.2 11.4 7.2 14.6 5.6C13.4 3.6 12 1.6 13 .6"
        "C11-3.6 3-3.4 0 0Z"
    )
    return (
        blob(points, GREEN, 0.6, PAPER),
        stroke("M0 1V11M-1 1.4L-10.6 4M1 1.4L10.6 4M0 4L-3.4 8M0 4L3.4 8", LIME, 0.8),
    )


@stencil
def paulownia_spike() -> tuple[Shape, ...]:
    """An upright spike of purple bells from (0, 0) up to (0, -19)."""
    bells = [
        oval(side * 2.1, -3.2 - 3.5 * row, 1.6, 2, PURPLE, turn=30 * side)
        for row in range(4)
        for side in SIDES
    ]
    return (stroke("M0 0V-15", GREEN, 0.9), *bells, oval(0, -17.4, 1.4, 1.9, PURPLE))


@stencil
def paulownia_floret() -> tuple[Shape, ...]:
    """A purple star of five points with a pale heart, 7 across."""
    points = [
        point
        for tip, nook in zip(around(10, 3.8)[::2], around(10, 1.8)[1::2], strict=True)
        for point in (tip, nook)
    ]
    return (blob(polygon(points), PURPLE, 0.5, PAPER), disc(0, 0, 0.8, PINK))
