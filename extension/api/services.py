"""Collaborators of the resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from adapter.clock import Clock
from extension.api.auth.authenticator import Authenticator
from extension.engine.inspector import Inspector
from extension.engine.usage.service import UsageService


@dataclass(frozen=True, slots=True)
class Services:
    """The collaborators of the HTTP interface, made in the composition root.

    `settings` are the service's effective settings as answered by `poolkeeper/config`: JSON values, no secrets.
    """

    inspector: Inspector
    usage: UsageService
    authenticator: Authenticator
    clock: Clock
    prefix: str
    version: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Served = Annotated[Services, Depends(_services)]
"""Parameter type of a resource that needs the collaborators."""
