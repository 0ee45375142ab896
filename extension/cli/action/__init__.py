"""Action commands."""
