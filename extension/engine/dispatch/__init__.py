"""Dispatch: who works on which gateway, and how commands reach the process that does."""
