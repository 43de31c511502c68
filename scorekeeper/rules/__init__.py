"""The rules of hanafuda as a pure function: a round goes in, amounts and their reasons come out.

Nothing here reads a clock, a file or a random number, and nothing outside the standard library is
needed. ``settle`` speaks the JSON contract, ``work_out`` gives the same as a value;
:mod:`scorekeeper.rules.game` says what a game is.
"""

from scorekeeper.rules.document import settle, work_out
from scorekeeper.rules.sentence import RuleError

__all__ = ["RuleError", "settle", "work_out"]
