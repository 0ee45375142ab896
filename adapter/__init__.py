"""Adapter between the extension and a gateway: the port, its implementations, and the rules they share.

No other hand-written package may import the gateway.
"""
