"""Releases after the pinned one: which there are, and which patches they would break."""
