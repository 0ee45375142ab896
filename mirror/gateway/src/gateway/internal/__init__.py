"""The gateway's internals: no promise of stability between releases."""
