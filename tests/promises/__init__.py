"""What we promise, proved: each file is one promise, with a broken build that it must catch.

Random tests print their seed; `SEED=123 pytest tests/promises` plays them again.
"""
