"""Literal tables of a file: which of them nothing can change, and the texts they give."""
