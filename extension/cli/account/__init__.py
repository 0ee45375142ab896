"""Account commands."""
