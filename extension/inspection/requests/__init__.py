"""Requests of probes: addresses, bodies, prompts and outcomes."""
