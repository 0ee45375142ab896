"""Queries of pools, accounts and warnings."""
