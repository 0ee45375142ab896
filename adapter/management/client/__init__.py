"""Requests to a management API: transport, guards, errors, release and pace."""
