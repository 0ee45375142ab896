"""Which management key counts now, without knowing it: sessions end when it changes, and nothing exists without one."""

import asyncio
import hashlib
from typing import Final, Protocol

from adapter.port import Capability, Document, Gateway
from adapter.rules.config_text import ConfigTextInvalid, config_values, section

NO_KEY: Final = ""
"""The standing of a gateway without any management key: then it has no management interface, and neither have we."""
_UNKNOWN: Final = "unknown"
_HELD: Final = "held"


class KeyFingerprint(Protocol):
    """Fingerprint of the management key in force."""

    async def now(self) -> str:
        """Answer a mark that changes when the management key does; `NO_KEY` when there is none.

        Raises:
            GatewayError: the gateway could not be asked.
        """


class HeldKeyFingerprint:
    """The standing of a key this process holds for a gateway elsewhere: it counts as long as the process lives."""

    async def now(self) -> str:
        """Return the constant fingerprint; the gateway is not asked."""
        return _HELD


class StoredKeyFingerprint:
    """Reads the stored form of the management key from the gateway's configuration, again only when that changed.

    `environment_key` says that the process environment holds a management key, which stays as long as the process
    does.
    """

    def __init__(self, gateway: Gateway, *, environment_key: bool) -> None:
        self._gateway = gateway
        self._environment_key = environment_key
        self._seen: tuple[str, str] | None = None

    async def now(self) -> str:
        """See `KeyFingerprint`."""
        if Capability.CONFIGURATION not in (await self._gateway.describe()).capabilities:
            return _UNKNOWN
        document = await self._gateway.configuration()
        if self._seen is None or self._seen[0] != document.revision:
            found = await asyncio.to_thread(stored_key, document)
            before = self._seen[1] if self._seen else _UNKNOWN
            # A file that is being edited into something broken does not count: the gateway goes on with what it had.
            self._seen = (document.revision, before if found is None else found)
        stored = self._seen[1]
        if not stored and not self._environment_key:
            return NO_KEY
        return hashlib.sha256(f"{self._environment_key}:{stored}".encode()).hexdigest()


def stored_key(document: Document) -> str | None:
    """Read `remote-management.secret-key` as it is stored: empty when it is not set, None when the text is not YAML."""
    try:
        value = section(config_values(document.text.reveal()), "remote-management").get("secret-key")
    except ConfigTextInvalid:
        return None
    return "" if value is None else str(value)
