"""Queries of actions and of actions on hold."""
