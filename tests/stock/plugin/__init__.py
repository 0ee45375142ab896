"""The library for stock gateways, in a real stock gateway."""
