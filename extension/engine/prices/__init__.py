"""Prices in operation: stored overrides, public lists fetched on command, and names of client keys."""
