"""Readings of a text: every encoding an upstream may repeat a key in, undone."""
