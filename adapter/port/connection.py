"""A connection: one gateway, and the application behind our routes."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from adapter.port.accounts import Accounts
from adapter.port.admission import Admission, AdmissionAttempt
from adapter.port.calls import Calls
from adapter.port.capabilities import Capability
from adapter.port.configuration import Configuration
from adapter.port.errors import GatewayError
from adapter.port.sign_in import AccountSignIn
from adapter.port.usage import Usage

Message = MutableMapping[str, Any]
"""An ASGI message or scope."""

ASGIApp = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]
"""An ASGI 3 application; said here so that the port needs no web framework."""


@dataclass(frozen=True, slots=True)
class About:
    """Self-description of a gateway, found once per connection."""

    name: str
    version: str
    """Without a leading `v`."""
    capabilities: frozenset[Capability] = field(default_factory=frozenset)
    seconds_per_call: float = 0.0
    """Fixed cost of a management call before the upstream is called, in seconds: subtract it from `Answer.elapsed`."""
    calls_at_once: int | None = None
    """Most calls in flight that the descriptors of the process permit; None without such a limit."""


class Gateway(Accounts, AccountSignIn, Calls, Configuration, Usage, Protocol):
    """Everything a gateway does for us, whichever gateway it is."""

    async def describe(self) -> About:
        """Name, version, capabilities and fixed cost per call.

        Raises:
            GatewayError: the gateway could not be asked.
        """

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        """Decide whether `attempt` may use management. A wrong or missing key counts towards the lock-out.

        Raises:
            Unsupported: the gateway lacks `Capability.ADMISSION`.
            GatewayError: it could not be decided; access is denied.
        """

    async def client_address(self, peer: str, forwarded: str) -> str:
        """Return the address that a request is judged by: the TCP peer, or the client of a proxy the gateway trusts.

        `forwarded` is the value of `X-Forwarded-For`, empty without one.
        """

    async def key_counts(self) -> bool:
        """Return whether the management key that this connection holds for the gateway still counts.

        True where it holds none, and as long as the gateway does not refuse it; a gateway that is away changes nothing.
        """

    def refusal(self) -> GatewayError | None:
        """Return the error that stops every request of this process now, such as `Banned`; None while they are sent."""


class Connection(Protocol):
    """One gateway and the application behind our routes. It is usable after `bind` and until `close`."""

    @property
    def gateway(self) -> Gateway:
        """The gateway. Before `bind` its `accounts`, `set_disabled` and the verbs of files raise RuntimeError."""

    @property
    def fallback(self) -> ASGIApp:
        """Application for paths that are not ours: the gateway's own app, a streaming proxy to it, or 404.

        The server of the process runs its lifespan: an application behind another never gets its own.
        """

    def bind(self, installation_key: bytes) -> None:
        """Hand over the key of this installation (32 random bytes, `secret.key`), with which fingerprints are made.

        It comes after construction because the connection exists before the data folder is known. Binding again
        with the same key does nothing.

        Raises:
            ValueError: the key is shorter than 16 bytes, or another key is bound already.
        """

    async def close(self) -> None:
        """Release the connection's own resources; an embedded gateway is stopped by its own lifespan."""
