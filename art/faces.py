"""The 48 faces, month by month, each drawn from the hindmost shape to the foremost.

A face is entered under the name of its card: the month, then B for bright, A for animal, R for
ribbon or C for chaff, and a number where a month has several chaff. What all cards carry, the
paper, the month tab and the rank mark, is added to each. Keep what matters off the tab, which
reaches from the top left corner to (9.4, 12.4), in months of two digits to (15.4, 12.4), and off
the mark, which is 10 across around (34, 58).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from art import creatures, plants
from art.ink import (
    GOLD,
    GREEN,
    GREY,
    INK,
    LIME,
    PAPER,
    PINK,
    PREFIX,
    PURPLE,
    RED,
    TRUNK,
    WATER,
    WHITE,
    YELLOW,
    Shape,
    blob,
    block,
    disc,
    stroke,
)
from art.marks import (
    MONTH_TABS,
    RANK_MARKS,
    blue_ribbon,
    cloud,
    flecks,
    plain_ribbon,
    poetry_ribbon,
)

WIDTH, HEIGHT = 40, 64

Draw = Callable[[], Sequence[Shape]]

FACES: dict[str, Draw] = {}
"""What draws each card, by the card's name, in the order of the deck."""


def face(card: str) -> Callable[[Draw], Draw]:
    """Enters a function as what draws this card."""

    def enter(draw: Draw) -> Draw:
        FACES[card] = draw
        return draw

    return enter


def symbol(card: str) -> Shape:
    """The whole card as a symbol of the sprite: paper, picture, month tab and rank mark."""
    month, kind = re.findall(r"\d+|[BARC]", card)[:2]
    shapes = [_ground(PAPER), *FACES[card](), MONTH_TABS[int(month)].at()]
    if kind in RANK_MARKS:
        shapes.append(RANK_MARKS[kind].at(34, 58))
    # All lines of the face inherit their round ends from here.
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<symbol id="{PREFIX}{card}" {box} {ends}>{"".join(shapes)}</symbol>'


def _ground(colour: str) -> Shape:
    """The whole card in one colour."""
    return block(0, 0, WIDTH, HEIGHT, colour)


# 1 pine: low, under an empty sky


@face("1B")
def pine_with_crane() -> Sequence[Shape]:
    """A crane before the red sun at the top right; young pines in both lower corners."""
    return (
        disc(32, 14, 12, RED),
        plants.pine.at(4, 67, 0.8),
        plants.pine.at(34, 68, 0.95),
        creatures.crane.at(17, 33, 1.12),
    )


@face("1R")
def pine_with_poetry_ribbon() -> Sequence[Shape]:
    """The two pines of 1C2 behind a poetry ribbon."""
    return (flecks.at(), *pine_tall_left(), poetry_ribbon.at(16, 30))


@face("1C1")
def pine_tall_right() -> Sequence[Shape]:
    """Two pines, the taller at the right."""
    return (plants.pine.at(9, 65, 1.05), plants.pine.at(28, 66, 1.4))


@face("1C2")
def pine_tall_left() -> Sequence[Shape]:
    """Two pines, the taller at the left."""
    return (plants.pine.at(32, 65, 1), plants.pine.at(13, 66, 1.5))


# 2 plum: angular branches with straight shoots


@face("2A")
def plum_with_warbler() -> Sequence[Shape]:
    """A warbler under the red cloud, perched on a branch that rises to the right."""
    return (
        cloud.at(),
        stroke("M-1 53C8 52 18 50 24 43C28 39 34 38 41 37M30 39L35 22M12 51L7 38", TRUNK, 3),
        plants.plum_flower.at(9, 52),
        plants.plum_flower.at(36, 37, 0.9),
        plants.plum_flower.at(26, 46, 0.8),
        plants.plum_bud.at(35, 21),
        plants.plum_bud.at(7, 37),
        creatures.warbler.at(21, 31, 1.12),
    )


@face("2R")
def plum_with_poetry_ribbon() -> Sequence[Shape]:
    """The branch of 2C2 behind a poetry ribbon."""
    return (flecks.at(), *plum_rising_right(), poetry_ribbon.at(16, 30))


@face("2C1")
def plum_rising_left() -> Sequence[Shape]:
    """A branch that rises from the lower right corner, in full flower."""
    return (
        stroke("M41 63C30 60 24 53 20 46L18 15M20 46L6 40M26 54L32 17M12 42L8 22", TRUNK, 3),
        plants.plum_flower.at(18, 22),
        plants.plum_flower.at(8, 33, 0.95),
        plants.plum_flower.at(32, 31, 1.05),
        plants.plum_flower.at(20, 41),
        plants.plum_flower.at(33, 50, 0.95),
        plants.plum_flower.at(12, 54, 1.05),
        plants.plum_bud.at(32, 16),
        plants.plum_bud.at(8, 21),
        plants.plum_bud.at(24, 58),
    )


@face("2C2")
def plum_rising_right() -> Sequence[Shape]:
    """A branch that rises from the lower left corner, in full flower."""
    return (
        stroke("M-1 61C10 58 16 52 22 45L27 8M22 45L36 37M14 54L9 22M31 40L36 18", TRUNK, 3),
        plants.plum_flower.at(26, 16),
        plants.plum_flower.at(10, 28),
        plants.plum_flower.at(35, 26, 0.9),
        plants.plum_flower.at(24, 34),
        plants.plum_flower.at(34, 42, 1.05),
        plants.plum_flower.at(11, 46, 0.95),
        plants.plum_flower.at(23, 55, 1.05),
        plants.plum_bud.at(36, 17),
        plants.plum_bud.at(9, 20),
        plants.plum_bud.at(35, 54),
    )


# 3 cherry: blossom in pink and red


@face("3B")
def cherry_with_curtain() -> Sequence[Shape]:
    """A camp curtain across the lower half, blossom above it."""
    return (
        plants.leaf.at(20, 30, 1, -70),
        plants.leaf.at(14, 12, 1, 20),
        *_blossom(PINK, 0.85, (17, 9), (37, 19), (8, 20), (31, 31), (14, 32)),
        *_blossom(RED, 0.85, (28, 10), (21, 21), (4, 33), (24, 36), (38, 37)),
        creatures.curtain.at(0, 34),
        creatures.curtain.at(20, 34),
    )


@face("3R")
def cherry_with_poetry_ribbon() -> Sequence[Shape]:
    """The tree of 3C2 behind a poetry ribbon that falls to the left."""
    return (flecks.at(), *cherry_leaning(), poetry_ribbon.at(24, 30, mirrored=True))


@face("3C1")
def cherry_upright() -> Sequence[Shape]:
    """A trunk along the right edge, blossom all over the rest."""
    return (
        stroke("M38 65C33 52 33 26 36-1M34 40C26 38 20 34 15 28M35 22L26 12", TRUNK, 4),
        plants.leaf.at(22, 58, 1, 100),
        plants.leaf.at(6, 28, 1, -20),
        plants.leaf.at(24, 28, 0.9, 40),
        *_blossom(PINK, 0.92, (19, 9), (9, 21), (31, 33), (21, 42), (10, 54)),
        *_blossom(RED, 0.92, (29, 17), (20, 26), (9, 38), (33, 49), (23, 58)),
    )


@face("3C2")
def cherry_leaning() -> Sequence[Shape]:
    """A trunk from the lower left to the upper right corner, blossom on both sides."""
    return (
        stroke("M-1 65C10 55 16 46 20 38C25 28 31 18 36-1M17 44L36 40M25 28L10 22", TRUNK, 4),
        plants.leaf.at(10, 20, 0.9, -60),
        plants.leaf.at(30, 58, 1, 80),
        plants.leaf.at(5, 46, 0.9, -10),
        *_blossom(PINK, 0.92, (20, 10), (26, 23), (9, 38), (34, 46), (25, 56)),
        *_blossom(RED, 0.92, (33, 11), (12, 24), (35, 31), (22, 38), (12, 53)),
    )


def _blossom(colour: str, size: float, *places: tuple[float, float]) -> list[Shape]:
    """Cherry flowers at these places, each turned a little further than the one before."""
    return [
        plants.cherry_flower.at(x, y, size, 20 * number, colour=colour)
        for number, (x, y) in enumerate(places)
    ]


# 4 wisteria: hangs from the top


@face("4A")
def wisteria_with_cuckoo() -> Sequence[Shape]:
    """A cuckoo flies before a red crescent in the lower half; wisteria hangs at the top."""
    return (
        blob("M33 25.4A16 16 0 0 1 9 46.6A20 20 0 0 0 33 25.4Z", RED),
        _vine("M9 5C18 1 28 7 41 3"),
        plants.wisteria_flower.at(35.4, 5, 0.85),
        plants.wisteria_flower.at(18, 5, 0.65),
        plants.wisteria_leaf.at(14, 4, 0.75, 110),
        plants.wisteria_leaf.at(29, 4, 0.75, 190),
        creatures.cuckoo.at(17, 33.5, 0.9),
    )


@face("4R")
def wisteria_with_ribbon() -> Sequence[Shape]:
    """The clusters of 4C1 behind a plain ribbon."""
    return (flecks.at(), *wisteria_in_three(), plain_ribbon.at(16, 34))


@face("4C1")
def wisteria_in_three() -> Sequence[Shape]:
    """Three clusters, the longest at the right."""
    return (
        _vine("M9 8C18 3 28 10 41 5"),
        plants.wisteria_flower.at(8, 16, 1.25),
        plants.wisteria_flower.at(20, 10, 1.5),
        plants.wisteria_flower.at(33, 8, 1.9),
        plants.wisteria_leaf.at(13, 7, 0.9, 165),
        plants.wisteria_leaf.at(26, 7, 0.9, 190),
        plants.wisteria_leaf.at(38, 6, 0.8, 215),
    )


@face("4C2")
def wisteria_with_tendril() -> Sequence[Shape]:
    """A large cluster in the middle, a small one at the right, a tendril at the left."""
    return (
        _vine("M9 6C18 9 28 2 41 8M8 13C3 24 11 31 6 40C4 45 9 47 9 42"),
        plants.wisteria_flower.at(20, 8, 1.95),
        plants.wisteria_flower.at(33, 9, 1.5),
        plants.wisteria_leaf.at(14, 6, 0.9, 165),
        plants.wisteria_leaf.at(27, 5, 0.9, 180),
        plants.wisteria_leaf.at(38, 7, 0.8, 205),
        plants.wisteria_leaf.at(7, 26, 0.7, 120),
    )


def _vine(line: str) -> Shape:
    """A thin green shoot."""
    return stroke(line, LIME, 1.4)


# 5 iris: stands at the foot


@face("5A")
def iris_with_bridge() -> Sequence[Shape]:
    """Planks in a zigzag over a stream that runs well above the rank mark; irises behind."""
    return (
        cloud.at(),
        plants.iris_leaves.at(23, 42, 0.8),
        plants.iris_flower.at(29, 20, 0.8),
        plants.iris_flower.at(12, 24, 0.65),
        creatures.stream.at(0, 38),
        creatures.bridge.at(0, 39),
        plants.iris_leaves.at(9, 67, 0.5),
    )


@face("5R")
def iris_with_ribbon() -> Sequence[Shape]:
    """The irises of 5C2 behind a plain ribbon."""
    return (flecks.at(), *iris_in_two(), plain_ribbon.at(16, 30))


@face("5C1")
def iris_alone() -> Sequence[Shape]:
    """One tall iris and a bud among the leaves."""
    return (
        plants.iris_leaves.at(19, 66, 1.3),
        stroke("M31 62V42", GREEN, 1.5),
        blob("M31 44C28 40 29 36 31 34C33 36 34 40 31 44Z", PURPLE),
        plants.iris_flower.at(18, 27, 1.25),
    )


@face("5C2")
def iris_in_two() -> Sequence[Shape]:
    """Two irises, the taller at the right."""
    return (
        plants.iris_leaves.at(22, 66, 1.25, mirrored=True),
        plants.iris_flower.at(11, 36, 0.9),
        plants.iris_flower.at(28, 24, 1.1),
    )


# 6 peony: one big flower


@face("6A")
def peony_with_butterflies() -> Sequence[Shape]:
    """Two butterflies under the red cloud, a peony at the foot."""
    return (
        cloud.at(),
        plants.peony_leaf.at(8, 52, 1.1, -60),
        plants.peony_leaf.at(30, 47, 1, 60),
        plants.peony_leaf.at(12, 60, 0.9, -110),
        plants.peony_flower.at(19, 50, 1.05),
        creatures.butterfly.at(13, 23, 0.95, -12),
        creatures.butterfly.at(29, 31, 0.9, 18),
    )


@face("6R")
def peony_with_blue_ribbon() -> Sequence[Shape]:
    """The flowers of 6C1 behind a blue ribbon that falls to the left."""
    return (flecks.at(), *peony_low(), blue_ribbon.at(22, 30, mirrored=True))


@face("6C1")
def peony_low() -> Sequence[Shape]:
    """A flower low in the card, a smaller one above it."""
    return (
        stroke("M20 46C22 36 20 30 25 20", GREEN, 1.6),
        plants.peony_leaf.at(20, 32, 0.9, -70),
        plants.peony_leaf.at(10, 50, 1.1, -50),
        plants.peony_leaf.at(30, 50, 1.1, 60),
        plants.peony_leaf.at(12, 56, 1, -115),
        plants.peony_leaf.at(28, 56, 1, 115),
        plants.peony_leaf.at(28, 22, 0.8, 80),
        plants.peony_flower.at(20, 47, 1.2),
        plants.peony_flower.at(25, 18, 0.7),
    )


@face("6C2")
def peony_high() -> Sequence[Shape]:
    """A flower in the middle, its stem below it with a bud."""
    return (
        stroke("M20 40C20 50 22 56 25 65M21 54C27 52 31 52 33 49", GREEN, 1.8),
        plants.peony_leaf.at(10, 36, 1.1, -100),
        plants.peony_leaf.at(30, 36, 1.1, 100),
        plants.peony_leaf.at(30, 24, 1, 40),
        plants.peony_leaf.at(22, 58, 1, -70),
        plants.peony_bud.at(33, 47),
        plants.peony_flower.at(20, 28, 1.3),
    )


# 7 bush clover: rises from the foot


@face("7A")
def clover_with_boar() -> Sequence[Shape]:
    """A boar before bush clover, under the red cloud."""
    return (
        cloud.at(),
        plants.clover_stem.at(30, 62, 1.2, -4),
        plants.clover_stem.at(12, 62, 1, -8),
        creatures.boar.at(18.8, 43, 1.05),
    )


@face("7R")
def clover_with_ribbon() -> Sequence[Shape]:
    """The stems of 7C1 behind a plain ribbon that falls to the left."""
    return (flecks.at(), *clover_leaning_right(), plain_ribbon.at(23, 30, mirrored=True))


@face("7C1")
def clover_leaning_right() -> Sequence[Shape]:
    """Three stems that lean right, the tallest in the middle."""
    return (
        plants.clover_stem.at(4, 64, 1.05, 4),
        plants.clover_stem.at(14, 66, 1.4, 6),
        plants.clover_stem.at(26, 66, 1.2, 16),
    )


@face("7C2")
def clover_leaning_left() -> Sequence[Shape]:
    """Three stems that lean left, the tallest right of the middle."""
    return (
        plants.clover_stem.at(35, 64, 1.1, -4, mirrored=True),
        plants.clover_stem.at(26, 66, 1.4, -8, mirrored=True),
        plants.clover_stem.at(14, 66, 1, -14, mirrored=True),
    )


# 8 pampas grass: a dark hill under an empty sky


@face("8B")
def pampas_with_moon() -> Sequence[Shape]:
    """A full moon in a red sky, above the middle of the hill."""
    return (_ground(RED), disc(22, 20, 13, PAPER), plants.hill.at())


@face("8A")
def pampas_with_geese() -> Sequence[Shape]:
    """Three wild geese in a wedge, its point at the left."""
    return (
        creatures.goose.at(11.6, 27, 0.85),
        creatures.goose.at(29.5, 12, 0.85),
        creatures.goose.at(30, 28.4, 0.8),
        plants.hill.at(),
    )


@face("8C1")
def pampas_bending_right() -> Sequence[Shape]:
    """The hill alone; its grass bends right."""
    return (plants.hill.at(),)


@face("8C2")
def pampas_bending_left() -> Sequence[Shape]:
    """The hill alone; its grass bends left."""
    return (plants.hill.at(WIDTH, mirrored=True),)


# 9 chrysanthemum


@face("9A")
def chrysanthemum_with_cup() -> Sequence[Shape]:
    """A sake cup before chrysanthemums, under the red cloud."""
    return (
        cloud.at(),
        plants.chrysanthemum_leaf.at(14, 34, 0.9, -60),
        plants.chrysanthemum_leaf.at(34, 34, 0.9, 60),
        plants.chrysanthemum_leaf.at(10, 60, 0.9, -30),
        plants.chrysanthemum_leaf.at(22, 64, 0.8, 30),
        plants.chrysanthemum_flower.at(28, 23, 0.95),
        plants.chrysanthemum_flower.at(11, 28, 0.8),
        creatures.cup.at(20, 45, 1.2),
    )


@face("9R")
def chrysanthemum_with_blue_ribbon() -> Sequence[Shape]:
    """The flowers of 9C1 behind a blue ribbon that falls to the left."""
    return (flecks.at(), *chrysanthemum_in_two(), blue_ribbon.at(23, 30, mirrored=True))


@face("9C1")
def chrysanthemum_in_two() -> Sequence[Shape]:
    """A large flower low in the card, a smaller one at the top right."""
    return (
        stroke("M18 46C20 36 22 28 24 18M18 44V65", GREEN, 1.6),
        plants.chrysanthemum_leaf.at(22, 30, 0.9, 70),
        plants.chrysanthemum_leaf.at(17, 60, 1, -75),
        plants.chrysanthemum_leaf.at(20, 60, 1, 65),
        plants.chrysanthemum_leaf.at(20, 34, 0.8, -60),
        plants.chrysanthemum_flower.at(18, 44, 1.45),
        plants.chrysanthemum_flower.at(25, 17, 1),
    )


@face("9C2")
def chrysanthemum_offset() -> Sequence[Shape]:
    """A large flower at the upper right, a smaller one at the lower left."""
    return (
        stroke("M24 28C26 42 28 54 30 65M13 50C16 58 18 62 20 65", GREEN, 1.6),
        plants.chrysanthemum_leaf.at(27, 42, 0.9, -80),
        plants.chrysanthemum_leaf.at(27, 44, 1, 70),
        plants.chrysanthemum_leaf.at(29, 62, 0.9, 40),
        plants.chrysanthemum_flower.at(23, 25, 1.4),
        plants.chrysanthemum_flower.at(12, 50, 1),
    )


# 10 maple


@face("10A")
def maple_with_deer() -> Sequence[Shape]:
    """A stag that looks back over its shoulder, leaves above and at the left."""
    return (
        plants.maple_leaf.at(33, 9, 0.8, 10, colour=RED),
        plants.maple_leaf.at(22, 8, 0.6, -30, colour=YELLOW),
        plants.maple_leaf.at(6, 25, 0.7, 40, colour=GREEN),
        plants.maple_leaf.at(35, 26, 0.65, -20, colour=YELLOW),
        plants.maple_leaf.at(9, 39, 0.5, -10, colour=RED),
        creatures.deer.at(18, 48),
    )


@face("10R")
def maple_with_blue_ribbon() -> Sequence[Shape]:
    """The leaves of 10C2 behind a blue ribbon."""
    return (flecks.at(), *maple_four_leaves(), blue_ribbon.at(16, 30))


@face("10C1")
def maple_five_leaves() -> Sequence[Shape]:
    """Five leaves in two columns."""
    return (
        plants.maple_leaf.at(13, 25, 1, 10, colour=RED),
        plants.maple_leaf.at(30, 33, 1, -25, colour=GREEN),
        plants.maple_leaf.at(12, 49, 1, 40, colour=RED),
        plants.maple_leaf.at(31, 54, 0.8, colour=YELLOW),
        plants.maple_leaf.at(30, 12, 0.85, 20, colour=YELLOW),
    )


@face("10C2")
def maple_four_leaves() -> Sequence[Shape]:
    """Four leaves, the uppermost red."""
    return (
        plants.maple_leaf.at(27, 18, 1.1, -15, colour=RED),
        plants.maple_leaf.at(11, 33, 1, 30, colour=YELLOW),
        plants.maple_leaf.at(29, 44, 1.05, 10, colour=RED),
        plants.maple_leaf.at(12, 55, 0.9, -20, colour=GREEN),
    )


# 11 willow: a trunk at the left edge, twigs that hang from the top


@face("11B")
def willow_with_rain_man() -> Sequence[Shape]:
    """Ono no Michikaze under his umbrella by a stream, and the frog that leaps at the left."""
    return (
        blob("M0 46C10 42 20 49 40 44V64H0Z", WATER),
        stroke("M10 62C16 59 20 62 25 60M30 50C34 48 36 50 40 49", WHITE, 0.8),
        *_willow(),
        creatures.rain_man.at(24, 36, 1.05),
        creatures.frog.at(11, 57, 1.15),
    )


@face("11A")
def willow_with_swallow() -> Sequence[Shape]:
    """A swallow in flight to the left; its tail ends above the rank mark."""
    return (*_willow(), creatures.swallow.at(20.2, 32, 0.92))


@face("11R")
def willow_with_ribbon() -> Sequence[Shape]:
    """A plain ribbon before trunk and twigs."""
    return (flecks.at(), *_willow(), plain_ribbon.at(17, 34))


@face("11C")
def lightning() -> Sequence[Shape]:
    """A bolt out of a black cloud in a red sky, and a drum of the thunder god: no willow."""
    return (
        _ground(RED),
        blob("M0 22C2 15 9 14 12 18C14 11 25 10 28 17C32 12 39 14 40 20V64H0Z", INK),
        stroke("M6 26L2 38M38 28L34 42M28 52L25 62M38 50L35 62M3 43L1 49", GREY, 1),
        creatures.thunder_drum.at(9, 54, 1.1),
        creatures.lightning.at(23, 37),
    )


def _willow() -> Sequence[Shape]:
    """The trunk and four twigs, clear of the middle of the card."""
    return (
        plants.willow_trunk.at(),
        plants.willow_frond.at(19, -1, 0.9),
        plants.willow_frond.at(28, -2, 0.75, mirrored=True),
        plants.willow_frond.at(36, -1, 1.1),
        plants.willow_frond.at(11, 8, 0.7, mirrored=True),
    )


# 12 paulownia: a broad leaf with three spikes of flowers


@face("12B")
def paulownia_with_phoenix() -> Sequence[Shape]:
    """A phoenix in flight on a gold ground, a paulownia at the foot."""
    return (
        _ground(GOLD),
        plants.paulownia_spike.at(8, 53, 0.6, -10),
        plants.paulownia_spike.at(28, 53, 0.6, 10),
        plants.paulownia_leaf.at(18, 52, 1.1),
        creatures.phoenix.at(19.5, 36),
    )


@face("12C1")
def paulownia_on_yellow() -> Sequence[Shape]:
    """The one with the yellow foot: leaves and three spikes above it."""
    return (block(0, 54, WIDTH, 10, YELLOW), *_paulownia(20, 38, 1.1))


@face("12C2")
def paulownia_in_three() -> Sequence[Shape]:
    """Leaves in the lower half, three spikes above them."""
    return _paulownia(20, 44, 1.25)


@face("12C3")
def paulownia_in_two() -> Sequence[Shape]:
    """Two tall spikes instead of three."""
    return (
        plants.paulownia_spike.at(14, 44, 1.3, -4),
        plants.paulownia_spike.at(26, 44, 1.15, 8),
        *_paulownia_foot(20, 44, 1.25),
    )


def _paulownia(x: float, y: float, size: float) -> Sequence[Shape]:
    """Three leaves whose stems are at (x, y), three spikes above them."""
    return (
        plants.paulownia_spike.at(x, y, size),
        plants.paulownia_spike.at(x - 8.5 * size, y, size * 0.8, -12),
        plants.paulownia_spike.at(x + 8.5 * size, y, size * 0.8, 12),
        *_paulownia_foot(x, y, size),
    )


def _paulownia_foot(x: float, y: float, size: float) -> Sequence[Shape]:
    """Two leaves aside and a broad one before them, a few florets where the spikes begin."""
    return (
        plants.paulownia_leaf.at(x - 4 * size, y + 1, size * 0.85, 42),
        plants.paulownia_leaf.at(x + 4 * size, y + 1, size * 0.85, -42),
        plants.paulownia_leaf.at(x, y, size),
        plants.paulownia_floret.at(x - 5 * size, y - 1, size),
        plants.paulownia_floret.at(x + 5 * size, y - 1, size),
    )
