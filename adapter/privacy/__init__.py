"""Secrets and their redaction, and text that any output can carry."""
