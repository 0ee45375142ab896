"""Collaborators of the resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from adapter.clock import Clock
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.sessions import SecureCookies
from extension.api.streams.fan_out import FanOut
from extension.engine.inspector import Inspector
from extension.engine.measurements import MeasurementReader
from extension.engine.prices.aliases import Aliases
from extension.engine.prices.prices import Prices
from extension.engine.usage.service import UsageService


@dataclass(frozen=True, slots=True)
class Services:
    """The collaborators of the HTTP interface, made in the composition root.

    `settings` are the service's effective settings as answered by `poolkeeper/config`: JSON values, no secrets.
    `started` differs from start to start: entity tags of another process are not ours.
    """

    inspector: Inspector
    streams: FanOut
    prices: Prices
    aliases: Aliases
    measurements: MeasurementReader
    usage: UsageService
    authenticator: Authenticator
    clock: Clock
    prefix: str
    version: str
    reads_per_second: int
    started: str
    secure_cookies: SecureCookies = field(default_factory=SecureCookies)
    settings: Mapping[str, Any] = field(default_factory=dict)


async def _services(request: Request) -> Services:  # a plain function would be called in a thread
    services: Services = request.state.services
    return services


Served = Annotated[Services, Depends(_services)]
"""Parameter type of a resource that needs the collaborators."""
