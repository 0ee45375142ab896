"""Shapes of the service itself: information, sessions and automation."""
