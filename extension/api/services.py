"""Collaborators of the resources."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from adapter.clock import Clock
from adapter.port import Gateway
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.sessions import SecureCookies
from extension.api.streams.fan_out import FanOut
from extension.engine.actions.executor import Command
from extension.engine.dispatch.commands import CommandKind, CommandRequest, Outcome
from extension.engine.dispatch.fleet_work import FleetWork
from extension.engine.dispatch.port import Dispatch
from extension.engine.fleet.duplicates import DuplicateReader
from extension.engine.fleet.errors import NoFleet
from extension.engine.fleet.gateways import Gateways
from extension.engine.inspector import Inspector
from extension.engine.measurements import MeasurementReader
from extension.engine.prices.aliases import Aliases
from extension.engine.prices.prices import Prices
from extension.engine.usage.service import UsageService
from extension.store.client_keys import KeyActionRecord
from extension.store.database.database import Database
from extension.store.records import RunRecord


@dataclass(frozen=True, slots=True)
class FleetServices:
    """Collaborators of a fleet; `changed` makes this process follow a change of the gateways at once."""

    gateways: Gateways
    dispatch: Dispatch
    database: Database
    work: FleetWork
    duplicates: DuplicateReader
    changed: Callable[[], Awaitable[None]]
    problems: Callable[[], Mapping[str, str]]
    """Returns why gateways cannot be worked with in this process, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """Collaborators of the resources that no single gateway is needed for; `fleet` is None with one gateway."""

    authenticator: Authenticator
    clock: Clock
    prefix: str
    version: str
    reads_per_second: int
    secure_cookies: SecureCookies = field(default_factory=SecureCookies)
    fleet: FleetServices | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(Entrance):
    """The collaborators of the HTTP interface, made in the composition root.

    `settings` are the service's effective settings as answered by `poolkeeper/config`: JSON values, no secrets.
    `started` differs from start to start: entity tags of another process are not ours.
    """

    gateway: Gateway
    inspector: Inspector
    dispatch: Dispatch
    streams: FanOut
    prices: Prices
    aliases: Aliases
    measurements: MeasurementReader
    usage: UsageService
    started: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    async def ask(self, kind: CommandKind, asking: str = "", **arguments: Any) -> Outcome:
        """Have a command carried out by the process that works on the gateway; raises as `Dispatch.ask`."""
        command = CommandRequest(kind, asking, arguments)
        return await self.dispatch.ask(self.inspector.listing.pool_id, command)

    async def ask_for_run(self, kind: CommandKind, asking: str = "", **arguments: Any) -> RunRecord:
        """Have a command on a run carried out, and return the run."""
        run = await self.ask(kind, asking, **arguments)
        if not isinstance(run, RunRecord):
            raise TypeError(f"The command {kind} has no run.")
        return run

    async def ask_for_batch(self, kind: CommandKind, asking: str = "", **arguments: Any) -> Command:
        """Have a command on accounts carried out, and return its batch with its actions."""
        command = await self.ask(kind, asking, **arguments)
        if not isinstance(command, Command):
            raise TypeError(f"The command {kind} has no batch.")
        return command

    async def ask_for_key_action(self, kind: CommandKind, asking: str, **arguments: Any) -> KeyActionRecord:
        """Have a command on a client key carried out, and return its record."""
        action = await self.ask(kind, asking, **arguments)
        if not isinstance(action, KeyActionRecord):
            raise TypeError(f"The command {kind} has no action on a client key.")
        return action


async def _services(request: Request) -> Services:  # a plain function would be called in a thread
    services: Services = request.state.services
    return services


Served = Annotated[Services, Depends(_services)]
"""Parameter type of a resource that needs the collaborators."""


async def _entrance(request: Request) -> Entrance:
    entrance: Entrance = request.state.services
    return entrance


Entered = Annotated[Entrance, Depends(_entrance)]
"""Parameter type of a resource that needs no single gateway."""


async def _fleet(entrance: Entered) -> FleetServices:
    if entrance.fleet is None:
        raise NoFleet
    return entrance.fleet


InFleet = Annotated[FleetServices, Depends(_fleet)]
"""Parameter type of a resource of a fleet; with one gateway the answer is 404 `no_fleet`."""
