"""The only hand-written package that may import the gateway: the port, its implementations, the pure rules between."""
