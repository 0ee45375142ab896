"""Schedule commands."""
