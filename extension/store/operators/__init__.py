"""Operators of a fleet, their tokens, and the audit of changes."""
