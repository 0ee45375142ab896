"""Readings of sections, auth files and counters, joined into one pool."""
