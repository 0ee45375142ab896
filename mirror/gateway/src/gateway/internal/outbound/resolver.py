"""Name resolution that hides every address the guard refuses, so that none can be connected to."""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from gateway.internal.outbound.failure import AddressBlocked
from gateway.internal.outbound.guard import Guard


class GuardedResolver(AbstractResolver):
    """Resolves through another resolver and drops refused addresses.

    The client connects to exactly the addresses it gets from here, so a name cannot answer one address when it is
    looked at and another when it is used.

    ``guard`` is the one in force; it is set before each call.
    """

    def __init__(self, names: AbstractResolver) -> None:
        self._names = names
        self.guard = Guard()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Resolve a name; raise ``AddressBlocked`` when none of its addresses may be called."""
        found = await self._names.resolve(host, port, family)
        allowed = [result for result in found if self.guard.allows(result["host"])]
        if found and not allowed:
            raise AddressBlocked(host)
        return allowed

    async def close(self) -> None:
        """Close the resolver behind."""
        await self._names.close()
