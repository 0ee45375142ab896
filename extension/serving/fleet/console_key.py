"""The key of a console of a fleet, where there is no single gateway that could judge clients."""

from typing import cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapter.clock import Clock
from adapter.management.admission import HeldKey
from adapter.port import About, Admission, AdmissionAttempt, ASGIApp, Gateway, errors
from adapter.privacy.secret import Secret
from extension.api.problems import Problem

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class ConsoleKey:
    """Admission by a key of the console's own, with the bans of a gateway; of a gateway it has nothing else."""

    def __init__(self, key: Secret, clock: Clock) -> None:
        self._held = HeldKey(key, clock)

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        """See `Gateway`."""
        return self._held.admit(attempt)

    async def client_address(self, peer: str, forwarded: str) -> str:  # noqa: ARG002 - no proxy is trusted with it
        """See `Gateway`."""
        return peer

    async def key_counts(self) -> bool:
        """Return true: no gateway can refuse it."""
        return True

    def refusal(self) -> None:
        """Return nothing: no gateway judges this key."""

    async def describe(self) -> About:
        """Raise `Unavailable`: name a pool."""
        raise errors.Unavailable("A fleet is no single gateway. Name one with pool=NAME.")


class NoGateway:
    """`Connection` of a console of a fleet: paths that are not ours lead nowhere."""

    def __init__(self, key: Secret, clock: Clock) -> None:
        self.gateway = cast("Gateway", ConsoleKey(key, clock))
        self.fallback = cast("ASGIApp", Starlette(routes=[Route("/{path:path}", _nothing, methods=list(_METHODS))]))

    def bind(self, installation_key: bytes) -> None:
        """Do nothing: connections of gateways are bound one by one."""

    async def close(self) -> None:
        """Do nothing."""


async def _nothing(_: Request) -> Response:
    text = "A fleet passes nothing on to its gateways."
    return Problem(404, text, "not_found", "Ask the gateway itself.").answer()
