"""Metrics and health of the service, for monitoring."""
