"""Figures, side by side, from one run: `python -m tests.bench`."""
