"""Runs: lifecycle, workers, probing and storing of results."""
