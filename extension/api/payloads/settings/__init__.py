"""Shapes of the service itself: information, sessions, the webhook and automation."""
