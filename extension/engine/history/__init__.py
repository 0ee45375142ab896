"""Stored runs and their differences."""
