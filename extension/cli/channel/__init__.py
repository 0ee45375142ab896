"""Channel commands."""
