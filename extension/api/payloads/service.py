"""The service itself in requests and answers: information, sign-in, and the pause of automation."""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from adapter.privacy.encodable import writable
from extension.api.payloads.payload import Payload
from extension.store.pool.pools import AutomationPause


class GatewayView(Payload):
    """The gateway behind the service; `secondsPerCall` is its own fixed cost in each latency, if it is known.

    `refusal` is the code of the error that stops all requests to it, such as `gateway_banned`, until `refusedUntil`
    (ms UTC, null when not known).
    """

    name: str
    version: str
    capabilities: tuple[str, ...]
    seconds_per_call: float | None
    refusal: str | None
    refused_until: int | None


class FamilyView(Payload):
    """A family of accounts and the name people know it by.

    `publicAddress` says that `familyDefaultAddress` lets keys of it without a base address be probed.
    """

    token: str
    label: str
    public_address: bool


class VerdictView(Payload):
    """A verdict, its label, and its meaning."""

    token: str
    label: str
    meaning: str


class InfoAnswer(Payload):
    """Name and version of the service, its path prefix, the gateway, and the vocabulary of its answers.

    `page` is the path of the page at the address of this request. `fleet`: the service serves the gateways that its
    database names, and this is what it says of one of them.
    """

    name: str
    version: str
    prefix: str
    page: str
    fleet: bool
    gateway: GatewayView
    families: tuple[FamilyView, ...]
    verdicts: tuple[VerdictView, ...]


class ConfigAnswer(Payload):
    """The service's effective settings, without secrets, and the settings a run has when none are sent."""

    settings: dict[str, Any]
    inspection_defaults: dict[str, Any]


def _text(key: SecretStr) -> SecretStr:
    if writable(key.get_secret_value()) != key.get_secret_value():
        raise PydanticCustomError("key", "Input should be text")
    return key


class SignInRequest(Payload):
    """The management key, to be exchanged for a session. It is checked once and kept nowhere."""

    key: Annotated[SecretStr, Field(min_length=1, max_length=1000), AfterValidator(_text)]


class SessionAnswer(Payload):
    """A session: `csrf` goes into `X-Poolkeeper-CSRF` of every unsafe request; `expiresAt` is milliseconds UTC."""

    csrf: str
    expires_at: int


class AutomationRequest(Payload):
    """Pause all automation, or let it act again."""

    paused: bool


class AutomationAnswer(Payload):
    """State of the pause of all automation: its beginning (ms UTC) and its author."""

    paused: bool
    paused_at: int | None
    paused_by: str

    @classmethod
    def of(cls, pause: AutomationPause | None) -> Self:
        """Show a pause, or that there is none."""
        return cls(
            paused=pause is not None,
            paused_at=None if pause is None else pause.at,
            paused_by="" if pause is None else pause.by,
        )
