"""Usage commands."""
