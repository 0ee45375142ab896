"""Information about the service."""

from typing import Any

from extension.api.payloads.payload import Payload


class GatewayView(Payload):
    """The gateway behind the service; `secondsPerCall` is its own fixed cost in each latency, if it is known."""

    name: str
    version: str
    capabilities: tuple[str, ...]
    seconds_per_call: float | None


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

    `page` is the path of the page at the address of this request.
    """

    name: str
    version: str
    prefix: str
    page: str
    gateway: GatewayView
    families: tuple[FamilyView, ...]
    verdicts: tuple[VerdictView, ...]


class ConfigAnswer(Payload):
    """The service's effective settings, without secrets, and the settings a run has when none are sent."""

    settings: dict[str, Any]
    inspection_defaults: dict[str, Any]
