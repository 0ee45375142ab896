"""Accounts and the families of API keys."""
