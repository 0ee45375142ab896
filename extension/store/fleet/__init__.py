"""Gateways of a fleet."""
