"""Webhook commands."""
