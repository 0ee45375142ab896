"""Folders beside the mirror: the transaction of a command and the workspace of a person."""
