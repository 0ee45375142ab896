"""Shapes of the pool: accounts in full, and the slim table."""
