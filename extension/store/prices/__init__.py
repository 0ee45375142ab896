"""Prices set by people, and names of client keys."""
