"""Channels of notifications and their deliveries."""
