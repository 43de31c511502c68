"""The icon of the program: the moon of the eighth month over a hill of pampas grass.

It is drawn twice from the same measures, as SVG and, for phones that take no other, as PNG. Both
are 64 across; what matters lies within 26 of the middle, where no phone cuts it off.
"""

from __future__ import annotations

from io import BytesIO

from art.ink import GREY, INK, PAPER, RED

SIZE = 64
ROUND = 14
"""How far the corners are rounded where the phone does not cut them itself."""
MOON = (32, 27, 15)
HILL = ((0, 48), (32, 30), (64, 48))
"""Where the hill begins, the point that it bends towards, and where it ends."""
GRASS = [((14, 58), (19, 46)), ((23, 60), (27, 43)), ((32, 61), (36, 45)), ((42, 59), (47, 47))]
"""Blades, from the ground to the tip."""
BLADE = 1.6

PICTURES = {"icon-192": 192, "icon-512": 512, "icon-maskable": 512, "icon-apple": 180}
"""The PNGs, and how many pixels each of them is across."""

_FINER = 4
"""How much larger a PNG is drawn than it is, for smooth edges."""


def svg() -> str:
    """The icon with rounded corners."""
    x, y, radius = MOON
    (left, low), (bend, high), (right, _) = HILL
    blades = "".join(f"M{x1} {y1}L{x2} {y2}" for (x1, y1), (x2, y2) in GRASS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f'<clipPath id="c"><rect width="{SIZE}" height="{SIZE}" rx="{ROUND}"/></clipPath>'
        f'<g clip-path="url(#c)"><rect width="{SIZE}" height="{SIZE}" fill="{RED}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{PAPER}"/>'
        f'<path d="M{left} {low}Q{bend} {high} {right} {low}V{SIZE}H{left}z" fill="{INK}"/>'
        f'<path d="{blades}" fill="none" stroke="{GREY}" stroke-width="{BLADE}"'
        ' stroke-linecap="round"/></g></svg>\n'
    )


def png(name: str) -> bytes:
    """One of the PICTURES. Only the plain ones have rounded corners: phones cut the others."""
    from PIL import Image, ImageDraw

    across = PICTURES[name]
    scale = across * _FINER / SIZE
    picture = Image.new("RGB", (across * _FINER, across * _FINER), RED)
    pen = ImageDraw.Draw(picture)
    x, y, radius = MOON
    pen.circle((x * scale, y * scale), radius * scale, PAPER)
    ground = [*_bent(HILL), (SIZE, SIZE), (0, SIZE)]
    pen.polygon([(x * scale, y * scale) for x, y in ground], INK)
    for ends in GRASS:
        pen.line([(x * scale, y * scale) for x, y in ends], GREY, round(BLADE * scale))
        for x, y in ends:
            pen.circle((x * scale, y * scale), BLADE * scale / 2, GREY)
    picture = picture.resize((across, across), Image.Resampling.LANCZOS)
    if name in ("icon-192", "icon-512"):
        mask = Image.new("L", (across * _FINER, across * _FINER), 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *mask.size), ROUND * scale, 255)
        picture.putalpha(mask.resize((across, across), Image.Resampling.LANCZOS))
    content = BytesIO()
    colours = Image.Quantize.FASTOCTREE
    picture.quantize(32, method=colours).save(content, "PNG", optimize=True)
    return content.getvalue()


def _bent(curve: tuple[tuple[int, int], ...], steps: int = 64) -> list[tuple[float, float]]:
    """Points along a quadratic curve."""
    (x1, y1), (x2, y2), (x3, y3) = curve
    points = []
    for step in range(steps + 1):
        b = step / steps
        a = 1 - b
        points.append(
            (a * a * x1 + 2 * a * b * x2 + b * b * x3, a * a * y1 + 2 * a * b * y2 + b * b * y3)
        )
    return points
