"""Inspection of OAuth files: usage, billing and chat checks by the account's own type, and what their answers mean."""
