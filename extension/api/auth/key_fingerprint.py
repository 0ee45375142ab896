"""Management key in force, without knowing it: sessions end when it changes, and nothing exists without one."""

import asyncio
import hashlib
import hmac
from typing import Final, Protocol

import structlog

from adapter.clock import Clock
from adapter.port import Capability, Gateway
from adapter.rules.client_address import is_this_machine

NO_KEY: Final = ""
"""The fingerprint of a gateway without any management key: then it has no management interface, and neither have we."""
_UNKNOWN: Final = "unknown"
REFUSED_KEY: Final = "refused"
"""The fingerprint of a key of this process once the gateway refuses it; no session has it."""
_REFUSED: Final = (
    "the gateway refuses the management key of this service: its sessions and event streams have ended; a plugin reads "
    "its key file again by itself, any other service has to be started again with the new key"
)
_RECENT_SECONDS: Final = 0.25

_log = structlog.get_logger("poolkeeper.api")


class KeyFingerprint(Protocol):
    """Fingerprint of the management key in force."""

    async def now(self) -> str:
        """Return a mark that changes when the management key does; `NO_KEY` when there is none.

        Raises:
            GatewayError: the gateway could not be asked.
        """

    async def admits(self, peer: str) -> bool:
        """Return whether the gateway takes management requests from this address at all (`allow-remote`).

        Raises:
            GatewayError: the gateway could not be asked.
        """


class HeldKeyFingerprint:
    """The fingerprint of a key this process holds for a gateway elsewhere: it counts until the gateway refuses it."""

    def __init__(self, gateway: Gateway, mark: str) -> None:
        self._gateway = gateway
        self._mark = mark
        self._warned = False

    async def now(self) -> str:
        """Return the fingerprint of the key, or once the gateway has refused it a mark that no session has."""
        if await self._gateway.key_counts():
            return self._mark
        if not self._warned:
            self._warned = True
            _log.warning(_REFUSED)
        return REFUSED_KEY

    async def admits(self, peer: str) -> bool:  # noqa: ARG002 - a gateway elsewhere says nothing about our clients
        """Return true: `listen` alone decides about the clients of this process."""
        return True


class StoredKeyFingerprint:
    """Marks the stored form of the management key that the gateway has in force.

    `secret` is the key of the fingerprints. `environment_key` is a mark of the management key in the process's
    environment, empty without one.
    """

    def __init__(self, gateway: Gateway, *, secret: bytes, environment_key: str = "") -> None:
        self._gateway = gateway
        self._secret = secret
        self._environment_key = environment_key

    async def now(self) -> str:
        """See `KeyFingerprint`."""
        if Capability.CONFIGURATION not in (await self._gateway.describe()).capabilities:
            return _UNKNOWN
        key = (await self._gateway.management_access()).key.reveal()
        if not key and not self._environment_key:
            return NO_KEY
        return fingerprint_of(self._secret, f"{self._environment_key}:{key}")

    async def admits(self, peer: str) -> bool:
        """See `KeyFingerprint`; a key in the environment lets remote clients in, as the gateway rules."""
        if is_this_machine(peer) or self._environment_key:
            return True
        if Capability.CONFIGURATION not in (await self._gateway.describe()).capabilities:
            return True
        return (await self._gateway.management_access()).allow_remote


class RecentKeyFingerprint:
    """Answers for a quarter of a second with what was read last: streams ask before each of their frames."""

    def __init__(self, fingerprint: KeyFingerprint, clock: Clock) -> None:
        self._fingerprint = fingerprint
        self._clock = clock
        self._reading = asyncio.Lock()
        self._read: tuple[float, str] | None = None

    async def now(self) -> str:
        """See `KeyFingerprint`."""
        async with self._reading:
            if self._read is None or self._clock.monotonic() - self._read[0] >= _RECENT_SECONDS:
                self._read = (self._clock.monotonic(), await self._fingerprint.now())
            return self._read[1]


def fingerprint_of(secret: bytes, text: str) -> str:
    """Return the fingerprint of a key under a secret: nothing about the key can be guessed from it."""
    return hmac.new(secret, b"management key\0" + text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
