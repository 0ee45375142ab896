"""Inspection of OAuth files: usage, billing and chat checks by the account's own type, and their answers."""
