"""Imports by a text: names that are computed, put together from pieces, or hidden."""
