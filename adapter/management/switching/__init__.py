"""Switching."""
