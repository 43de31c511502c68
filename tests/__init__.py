"""Tests, run by `python3 -m tests`."""
