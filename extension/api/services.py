"""Collaborators of the resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from adapter.clock import Clock
from extension.api.auth.authenticator import Authenticator
from extension.api.streams.fan_out import FanOut
from extension.engine.inspector import Inspector


@dataclass(frozen=True, slots=True)
class Services:
    """The collaborators of the HTTP interface, made in the composition root.

    `settings` are the service's effective settings as answered by `poolkeeper/config`: JSON values, no secrets.
    `started` differs from start to start: entity tags of another process are not ours.
    """

    inspector: Inspector
    streams: FanOut
    authenticator: Authenticator
    clock: Clock
    prefix: str
    version: str
    reads_per_second: int
    started: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Served = Annotated[Services, Depends(_services)]
"""Parameter type of a resource that needs the collaborators."""
