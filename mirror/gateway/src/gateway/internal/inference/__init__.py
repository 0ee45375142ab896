"""Serving clients: their requests go, as they are, to an upstream that speaks their dialect."""
