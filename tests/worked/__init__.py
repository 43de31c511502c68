"""Rounds worked out by hand, one file a game, and the reader of these files."""
