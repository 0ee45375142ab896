"""Plugins: separate processes that serve paths of their own through this gateway.

Only ``process`` imports gRPC, and only when a plugin is about to start.
"""
