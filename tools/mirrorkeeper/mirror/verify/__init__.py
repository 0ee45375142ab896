"""The mirror compared with its pin, and everything a person asks about it."""
