"""The mirror compared with its pin."""
