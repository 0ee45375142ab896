"""Operators of a fleet: permission, tokens, and the audit of changes."""
