"""Connections, transactions and the single writer of the database."""
