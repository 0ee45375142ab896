"""Plugins: processes of other programs that answer paths of their own through this gateway.

Only ``process`` and ``host_service`` import gRPC, and only once a plugin is to start.
"""
