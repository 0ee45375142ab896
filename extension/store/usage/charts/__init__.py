"""Sums for charts."""
