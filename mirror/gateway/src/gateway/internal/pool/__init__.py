"""Credentials of the gateway: sources, names and state."""
