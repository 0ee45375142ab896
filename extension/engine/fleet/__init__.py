"""Gateways of a fleet as data: their keys, tests before they are stored, and changes from a file."""
