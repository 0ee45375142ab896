"""Accounts of the pool and the actions made to them."""
