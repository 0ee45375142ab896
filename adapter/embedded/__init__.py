"""The gateway in our own process: the port over the same typed operations the gateway's own handlers call.

It lives on the gateway's event loop, holds no lock and no copy of the pool, and takes no network detour.
"""

from adapter.embedded.connection import EmbeddedConnection
from adapter.embedded.gateway import EmbeddedGateway

__all__ = ["EmbeddedConnection", "EmbeddedGateway"]
