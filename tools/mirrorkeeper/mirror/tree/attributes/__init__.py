"""Attributes of git on mirrored files and patches: where they come from, and what they change."""
