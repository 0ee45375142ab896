"""Proxy for paths that are not ours, with the management key replaced on the way."""
