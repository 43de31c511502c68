"""How fast it is, and how much it takes. A module that has `figures()` is a bench:

    def figures() -> Iterator[Figure]:
        yield Figure("to answer", 3.2, "times", goal=8)

It is found by being in this folder, and `python3 -m bench NAME` runs it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One thing that was measured; `goal` is the most it should be, or the least, if any."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    least: bool = False

    @property
    def missed(self) -> bool:
        """Whether it is more than it should be, or less."""
        if self.goal is None:
            return False
        return self.value < self.goal if self.least else self.value > self.goal

    def __str__(self) -> str:
        digits = 0 if self.value >= 100 or self.value == int(self.value) else 1
        line = f"  {self.what:<58}{self.value:>9.{digits}f} {self.unit}"
        if self.goal is not None:
            bound = "at least" if self.least else "at most"
            line += f"  ({bound} {self.goal:g}{', MISSED' if self.missed else ''})"
        return line
