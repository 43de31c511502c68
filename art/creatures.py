"""The creatures, people and things on the bright and animal cards, and the lightning."""

from __future__ import annotations

from art.ink import (
    BLUE,
    GREEN,
    GREY,
    INK,
    LIME,
    ORANGE,
    PAPER,
    PURPLE,
    RED,
    TRUNK,
    WATER,
    WHITE,
    YELLOW,
    Shape,
    blob,
    block,
    cord,
    disc,
    oval,
    specks,
    stencil,
    stroke,
)

# Birds


@stencil
def crane() -> tuple[Shape, ...]:
    """A white crane with a red crown that stands facing left; its body is at (0, 0)."""
    return (
        stroke("M0 6L-1 20.6H-3.6M4 6L5.4 20.6H2.8", INK, 1),
        stroke("M-4 1C-10-4-1-7-4-13", INK, 2.4),
        blob("M3-3C9-4 13.6 2 13.6 10C10 9 6 8 3 5Z", INK),
        blob("M-7 1C-7-5 2-6 7-2C9 0 10.4 3 9 6C4 8-6 8-7 1Z", WHITE, edge=0.9),
        stroke("M-1 3C2 4.6 5 5 8 4.4M0 .4C3 1.8 6 2.2 8.6 2", GREY, 0.8),
        stroke("M-6-14L-12-12.6", ORANGE, 1.3),
        disc(-4, -14, 2.3, WHITE, edge=0.8),
        blob("M-6.4-14.4A2.4 2.4 0 0 1-1.6-14.8Z", RED),
    )


@stencil
def warbler() -> tuple[Shape, ...]:
    """A green warbler with a yellow head that perches facing left; its body is at (0, 0)."""
    return (
        stroke("M-1 5L-1.6 9M3 6L2.6 9.6", INK, 1),
        blob("M-9-3C-7-8-1-8 1-4C6-3 10 1 15 8C8 7.4 1 8-4 5C-8 3-9 0-9-3Z", LIME),
        blob("M-1-3C4-3 8 1 12 6.4C5 6 0 3-1-3Z", GREEN),
        blob("M-9-3C-8-7-3-8-1-5C-3-1-6 0-9-3Z", YELLOW),
        disc(-6, -4.6, 0.9, INK),
        blob("M-8.6-4.4L-12.6-3.2L-8.6-2.2Z", INK),
    )


@stencil
def cuckoo() -> tuple[Shape, ...]:
    """A brown cuckoo that flies left, wings wide; its body is at (0, 0), 28 wide, 32 high."""
    return (
        blob("M-4-1C-5-8-1-15 9-18C11-11 9-4 5 1Z", ORANGE, edge=0.7),
        stroke("M0-4C1-8 3-11 6.6-13.4M3-3C4-6 5.4-8 7.6-9.6", INK, 0.8),
        blob("M-13-.6C-12-4-8-5-5-3.4C0-3 5-1 13 3L17 4.4L12 7L8 5.6C2 6-5 5-9 2Z", ORANGE, 0.7),
        blob("M-10 1.2C-6 1 0 2 4 5.3C-1 5.4-6.4 4.6-10 1.2Z", PAPER),
        blob("M-2 .6C3 1 6 3 7 6C7 11 4 14.4-1 16C-3 11-3.4 5-2 .6Z", ORANGE, edge=0.7),
        stroke("M.6 4C.4 7 .6 9 1.4 11.4M3.2 4.6C3.6 6.4 3.8 8 3.6 10", INK, 0.8),
        blob("M-12-2.2L-16 .4L-11.4 .6Z", INK),
        disc(-9.2, -1.6, 0.9, INK),
    )


@stencil
def goose() -> tuple[Shape, ...]:
    """A wild goose that flies down to the left; its body is at (0, 0), 22 wide."""
    body = (
        "M-12 4.6C-10.6 2.6-8.6 2.4-7 2C-5 .4-3-.4-1-.6C0-5 4-8.6 10.4-10C9.6-5.6 7.6-2.4 4.6 .2"
        "L10 1.6C6.4 4.6 0 5.8-4.4 4.2C-7 3.8-9.4 4.6-12 4.6Z"
    )
    return (
        blob("M-2-.6C-5.4-4-5.6-8.4-4-12.6C-.4-10 2-6 2.4-1Z", TRUNK, edge=0.6),
        blob(body, ORANGE, edge=0.6),
        stroke("M2-1C3.6-3.6 5.6-5.6 8-7M3.6 .2C4.6-1 5.8-2.2 7-3.8", INK, 0.6),
        disc(-8.6, 3.2, 0.7, INK),
    )


@stencil
def swallow() -> tuple[Shape, ...]:
    """A red and yellow swallow that flies left; its forked tail streams to (20, 20)."""
    return (
        cord("M4 3C10 4 16 7 20.4 12.6M2 4C7 7 11 12 13 19.4", RED, 1.7, edge=0.5),
        blob("M-4-3C-5-11 2-17 13-19C13-11 9-3 3 2Z", YELLOW, edge=0.7),
        stroke("M-1-5C0-9 4-13 9-15M1.6-3C3-7 6-10 9.6-11", ORANGE, 1),
        blob(
            "M-12-2.4C-11-7-5-8-2-5C3-4 7 .6 7.6 5.6C2 8-4 6-7 2C-9 1-11 0-12-2.4Z", RED, edge=0.7
        ),
        blob("M-7 1.6C-4 1.6 0 3 3 6.2C-1 6.8-4.6 5-7 1.6Z", PAPER),
        blob("M-2 2C-6 6-6.6 12-9 17C-2 15 2 10 2.4 4Z", YELLOW, edge=0.7),
        disc(-8.4, -4, 0.9, WHITE),
        blob("M-11.6-3.8L-15.4-2L-11.4-1.2Z", INK),
    )


@stencil
def feather_eye() -> tuple[Shape, ...]:
    """The end of a long feather, from (0, 2) up to (0, -8), with an eye in it."""
    return (
        blob("M0 2C-4-.4-4-4 0-8C4-4 4-.4 0 2Z", YELLOW, edge=0.7),
        oval(0, -2.2, 1.4, 2, BLUE),
    )


@stencil
def phoenix() -> tuple[Shape, ...]:
    """A phoenix that comes down from the right, its tail streaming up behind it.

    Its body is at (0, 0), the crested head at (-13, -6); the wings reach (-5, -22) and (-12, 16),
    and the three long feathers, each with an eye at its end, (20, -30).
    """
    feathers = (
        cord("M4 2C12 5 13-3 15-7", GREEN, 2.6),
        cord("M3 0C14-2 8-14 14-19C17-21.6 18-24 17-28", PURPLE, 2.6),
        cord("M2-1C9-5 3-13 7-19C9-22 9-25 7.6-28", RED, 2.6),
    )
    eyes = (
        feather_eye.at(15.6, -8, turn=25),
        feather_eye.at(17, -27, turn=4),
        feather_eye.at(7.6, -26, turn=-8),
    )
    near_wing = (
        "M-5-1C-9-8-9-16-5-23C-2.6-21-1.6-18.6-1.2-16L.8-17.6C2.2-14.6 2.4-12 2-9.6L3.8-10.4"
        "C5-6 4-1 1 2Z"
    )
    far_wing = (
        "M-3 3C-8 6-11 10-12 16.4C-9.4 16-7.2 15-5.6 13.4L-5.2 15.6C-3 14.6-1 12.8 0 10.8"
        "L1 12.6C3.4 10 4.4 7 4.4 3Z"
    )
    body = (
        "M7 1.4C4 6-3 7-7 4C-10 1.6-9-1-11-2.6C-13-3.2-15-3-15.6-5C-16-7.6-13.6-9.2-11-8.2"
        "C-7.4-6.8-7-3.4-3-3.2C1-3 4-2 7 1.4Z"
    )
    return (
        *feathers,
        *eyes,
        blob(far_wing, PURPLE, edge=0.7),
        stroke("M-2.4 6C-5 8-7.4 10.6-9 13.4M0 7C-1.4 9-2.4 10.6-3.6 12", PAPER, 0.9),
        blob(near_wing, PURPLE, edge=0.7),
        stroke("M-4-6C-6-10-6-14-4.8-18M-1.6-5C-3-9-3-12-2.4-14M.6-4C0-6 0-8 .4-9.6", PAPER, 0.9),
        stroke("M-13.4-8.4C-15-12-13.4-15-11-14.2M-12-8.2C-12.4-11-11-12.6-9.4-11.6", GREEN, 1.4),
        blob(body, RED, edge=0.7),
        stroke("M-8.6-2.4L-6.6-4M-7.4 .2L-5-1.8M-5-.4C-2 1.6 2 2.2 5 1.4", YELLOW, 1.1),
        blob("M-15.2-6.8L-18.8-4.2L-15-3.8Z", YELLOW, edge=0.6),
        disc(-13, -6, 0.9, INK),
    )


# Beasts


@stencil
def boar() -> tuple[Shape, ...]:
    """A bristling boar that faces left; its body is at (0, 0), 32 wide."""
    body = (
        "M-16.4 2C-13.6-.6-11-3.6-9-5.4L-9.4-9.6L-5.4-7.6C0-12 10-11 13.6-4.6"
        "C15.4-1.4 15.4 3 13.4 6L13 11.4H9.6L8.6 7C4 8.4 0 8.4-2 7.8L-2.6 11.4H-6.2L-7 6.4"
        "C-10 6.6-13 6.4-16 5.4Z"
    )
    mane = "M-4-8.4L-2-12M-.4-9.8L2-13.4M3.6-10.4L6.2-13.8M7.4-10L10-12.8M10.6-8L13-10"
    return (
        stroke("M13.6-4C16.4-4.6 17-2 15.8-.4", INK, 1),
        stroke(mane, INK, 1.4),
        blob(body, ORANGE, edge=0.8),
        stroke("M-1-5L1.4-1.6M3.4-6L6-2.4M7.8-4.6L10.2-1.4M2 0L4.2 3M7 1L9 3.6", INK, 1),
        stroke("M-16.2 2.6V4.8", INK, 1.8),
        blob("M-13 4.8C-14-.2-12.2-1.4-11-1C-12 .6-11.8 3-11.2 4.4Z", WHITE, edge=0.5),
        disc(-8.4, -3, 1, INK),
        stroke("M10 11.4H12.6M-5.8 11.4H-3", INK, 1.4),
    )


@stencil
def deer() -> tuple[Shape, ...]:
    """A spotted stag that stands facing right and looks back to the left, antlers up to -30."""
    body = (
        "M-11-2C-9-7-2-7 3-6.4C4.4-9 4.4-12.6 2.6-15L-3.6-14.2C-5.4-14.4-5.4-16.4-4.2-17L.6-20.6"
        "C2-21.4 3.6-21.4 5-20C9-16 11-10 10.4-4C10.6-1.6 10 1 8.6 3L8.4 14H6L5 5C1 6.2-3 6-6.2 4.4"
        "L-7 14H-9.4L-10.4 4C-11.8 2-12 0-11-2Z"
    )
    return (
        stroke(
            "M2.4-21C.6-24-1-26.4-.4-30M.2-25.4L-3.4-27.4M3.6-21C5-24 7.6-25 8.4-29", TRUNK, 1.3
        ),
        stroke("M6.4-24.8L10.4-25.4", TRUNK, 1.3),
        stroke("M2.4 4L3 13.4M-4 4L-4.4 13.4", TRUNK, 2),
        blob("M4.6-19.6C7-22 9.6-22 11-21C10-18.6 8-17.4 6-17.6Z", ORANGE, edge=0.7),
        blob(body, ORANGE, edge=0.8),
        specks(
            ((-7, -3.4), (-3, -4), (1, -3.4), (5, -4.4), (-5, -0.6), (-1, -0.4), (3, -0.6)),
            WHITE,
            1.6,
        ),
        oval(-11.4, -0.6, 1.3, 2.4, WHITE, edge=0.7, turn=15),
        disc(0, -17.8, 0.9, INK),
        disc(-4.4, -15.6, 0.8, INK),
    )


@stencil
def butterfly() -> tuple[Shape, ...]:
    """A yellow butterfly with red spots, wings open, around (0, 0), 18 wide."""
    wings = "M0 0C-5-9-11-6-8.6-1C-10 3-6 6.6-1 2.4ZM0 0C5-9 11-6 8.6-1C10 3 6 6.6 1 2.4Z"
    return (
        blob(wings, YELLOW, edge=0.7),
        stroke("M-8-.8L-1 .8L8-.8", ORANGE, 0.7),
        specks(((-5.6, -3), (5.6, -3), (-5, 2), (5, 2)), RED, 2),
        stroke("M0-2V4.4M0-2.4L-2-6.4M0-2.4L2-6.4", INK, 1),
    )


@stencil
def frog() -> tuple[Shape, ...]:
    """A green frog that leaps up to the right; its body is at (0, 0), 14 wide."""
    return (
        cord("M-3 1.6L-7 1L-4 5H-8", LIME, 1.6, edge=0.5),
        cord("M3 1L5.4 3.6", LIME, 1.4, edge=0.5),
        blob("M-5 3C-5-1-2-4 1.4-4.4C1.4-7 5-7 5-4.6C7-4 7-1.4 5-.6C4 2 1 4-2 4Z", LIME, edge=0.6),
        disc(3.4, -4.6, 0.9, INK),
    )


# People and things


@stencil
def rain_man() -> tuple[Shape, ...]:
    """A nobleman in a red robe under a yellow umbrella, facing left, from y -20 to 20."""
    canopy = "M-13-9C-9-20 9-20 13-9C10-11 6.6-11 4.4-9.4C1.6-11-1.6-11-4.4-9.4C-6.6-11-10-11-13-9Z"
    robe = "M-5-3.6H1.6C5-1 7.4 3 9 7L4.6 8L5.6 16H-9.6L-7 6L-10.6 4.4C-9.4 1-7.4-2-5-3.6Z"
    return (
        stroke("M0-19.4V2", INK, 1.1),
        blob(canopy, YELLOW, edge=0.8),
        stroke("M0-17C-2.4-15-4-12.6-4.4-9.8M0-17C2.4-15 4-12.6 4.4-9.8", INK, 0.7),
        stroke("M-5.4 19.6H-2.6M1 19.6H3.6", INK, 1.6),
        blob("M-8.6 15H4.8L5.8 19H-9.4Z", BLUE, edge=0.8),
        blob(robe, RED, edge=0.8),
        stroke("M-3-3L-1.6 1.6L.6-3", WHITE, 1),
        stroke("M-6.6 6L-1 3.4L4.4 8", INK, 0.8),
        disc(-2, -5.4, 3, PAPER, edge=0.7),
        blob("M-5.2-6.8L-3.4-11.4H.4L1.4-5.4Z", INK),
        disc(-3.4, -4.6, 0.6, INK),
    )


@stencil
def tassel() -> tuple[Shape, ...]:
    """A yellow cord that hangs from (0, 0) to (0, 13), knotted and frayed."""
    return (
        blob("M-.9 5H.9L2.4 13H-2.4Z", YELLOW, edge=0.6),
        disc(0, 3, 2.4, YELLOW, edge=0.6),
    )


@stencil
def curtain() -> tuple[Shape, ...]:
    """Half of a camp curtain: one swag from the cord at (0, 0) to the cord at (20, 0), 30 high."""
    return (
        blob("M0 0Q10 9 20 0V30H0Z", PURPLE),
        blob("M0 16Q10 18 20 16V23Q10 25 0 23Z", RED),
        blob("M0 0Q10 9 20 0V6Q10 15 0 6Z", WHITE),
        # Folds run from both cords towards the middle of the swag.
        stroke("M1.6 7C4.6 14 5.4 22 4.6 30M3 6.6C8 13 9.6 20 9.4 30", INK, 0.6),
        stroke("M18.4 7C15.4 14 14.6 22 15.4 30M17 6.6C14.6 9.6 13.2 12.6 12.4 16", INK, 0.6),
        stroke("M0 0Q10 9 20 0M0 6Q10 15 20 6", INK, 0.9),
        *(tassel.at(x, 0) for x in (0, 20)),
    )


@stencil
def bridge() -> tuple[Shape, ...]:
    """Three planks in a zigzag across the card from (0, 12) to (40, 0), on orange posts."""
    return (
        block(12, 4, 3.4, 12, ORANGE, edge=0.6),
        block(25.4, 10, 3.4, 8, ORANGE, edge=0.6),
        blob("M25 7L41-3V3L30 11.4Z", YELLOW, edge=0.8),
        blob("M-1 9L14 0L18.6 3.6L-1 15.4Z", YELLOW, edge=0.8),
        blob("M11 2L15.6-1L32 7L28.6 11.4Z", YELLOW, edge=0.8),
        stroke("M2 10.6L14.6 2.8M16 1.6L28.6 8.2M31 7.6L39 2", ORANGE, 0.8),
    )


@stencil
def cup() -> tuple[Shape, ...]:
    """A wide red sake cup on its foot, with a gold rim and a wish for long life, 26 wide."""
    return (
        blob("M-4 6L-4.6 10H4.6L4 6Z", RED, edge=0.8),
        blob("M-13-3C-12 3.4-6 7.6 0 7.6C6 7.6 12 3.4 13-3Z", RED, edge=0.8),
        oval(0, -3, 13, 4.2, YELLOW, edge=0.8),
        oval(0, -2.5, 10.4, 2.7, RED, edge=0.6),
        stroke("M0 1.4V6.4M-2.8 2.3H2.8M-3.8 4.2H3.8M-2.2 6.2H2.2", WHITE, 0.9),
    )


@stencil
def lightning() -> tuple[Shape, ...]:
    """A yellow bolt from (6, -22) down to (-6, 22)."""
    return (blob("M3-22L-8 1H.4L-7 23L11-5H2.6L10-22Z", YELLOW, edge=1),)


@stencil
def comma() -> tuple[Shape, ...]:
    """One of the three commas on a drum, its head above (0, 0)."""
    return (blob("M0-.6C-2.4-.6-2.8-4.2-.2-4.6C2-5 4.4-3.2 4.4-.4C3.4-2.4 2-1 0-.6Z", RED),)


@stencil
def thunder_drum() -> tuple[Shape, ...]:
    """A drum of the thunder god seen from the front, around (0, 0), 17 across."""
    return (
        disc(0, 0, 8, YELLOW, edge=0.8),
        disc(0, 0, 5.8, PAPER, edge=0.6),
        # Three commas chasing each other.
        *(comma.at(turn=120 * k) for k in range(3)),
    )


@stencil
def stream() -> tuple[Shape, ...]:
    """A stream across the card, 14 high, its upper bank at y 0."""
    return (
        blob("M0 0C8-3 14 2 22 0S34-3 40 0V11C32 14 26 9 18 12S6 14 0 11Z", WATER),
        stroke("M3 4C8 2 12 5 17 4M24 8C29 6 33 9 37 7", WHITE, 0.8),
    )
