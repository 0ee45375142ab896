"""Measurements of the gateway; nothing here is a test."""
