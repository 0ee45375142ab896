"""Commands on a gateway as data, and how the engine carries each of them out."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

from extension.engine.actions.executor import Command
from extension.engine.actions.follow_up import Released, RunScope
from extension.engine.client_keys.client_keys import ClientKeys, KeyRequest
from extension.engine.inspector import Inspector
from extension.inspection.settings import AutoActionMode, parse_settings
from extension.reasons.reason import ReasonList
from extension.store.client_keys import KeyActionRecord
from extension.store.records import BatchRecord, RunRecord

Outcome: TypeAlias = RunRecord | Command | BatchRecord | KeyActionRecord
"""Run, batch or action on a client key that a command made or changed; the batch with its actions or without."""


class CommandKind(StrEnum):
    """Commands to the owner of a gateway."""

    START = "start"
    STOP = "stop"
    PAUSE = "pause"
    FINISH = "finish"
    RESUME = "resume"
    APPLY = "apply"
    RELEASE = "release"
    UNDO_RUN = "undo_run"
    UNDO_BATCH = "undo_batch"
    UNDO_ACTIONS = "undo_actions"
    SWITCH = "switch"
    CANCEL = "cancel"
    CREATE_KEY = "create_key"
    REVOKE_KEY = "revoke_key"
    UNDO_KEY = "undo_key"


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command of a person; the arguments are JSON. `fleet_run` is the fleet run that it starts a part of."""

    kind: CommandKind
    actor: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    fleet_run: int | None = None


async def carry_out(inspector: Inspector, command: CommandRequest) -> Outcome:
    """Carry out a command; raises as the part of the engine that it is for."""
    return await _CARRIED_OUT[command.kind](inspector, command.actor, command.arguments)


def _numbers(values: Any) -> frozenset[int] | None:
    return None if values is None else frozenset(values)


async def _start(inspector: Inspector, actor: str, arguments: Mapping[str, Any]) -> Outcome:
    if "schedule" in arguments:
        return await inspector.schedules.start(arguments["schedule"], actor)
    settings = parse_settings(arguments["settings"])
    only, fleet_run = _numbers(arguments.get("only")), arguments.get("fleetRun")
    return await inspector.runs.start(settings, actor, fleet_run_id=fleet_run, only=only)


async def _apply(inspector: Inspector, actor: str, arguments: Mapping[str, Any]) -> Outcome:
    released = Released(frozenset(arguments["released"]), frozenset(arguments["releasedHosts"]))
    mode, accounts = AutoActionMode(arguments["mode"]), arguments["accounts"]
    return await inspector.follow_up.apply_batch(
        arguments["run"], mode, actor, accounts, released, **_manner(arguments)
    )


async def _release(inspector: Inspector, actor: str, arguments: Mapping[str, Any]) -> Outcome:
    scope = RunScope(arguments["accounts"], arguments["hosts"])
    return await inspector.follow_up.release_batch(arguments["run"], actor, scope, **_manner(arguments))


async def _switch(inspector: Inspector, actor: str, arguments: Mapping[str, Any]) -> Outcome:
    return await inspector.commands.carry_out(
        arguments["accounts"],
        arguments["action"],
        actor,
        arguments["reason"],
        released=frozenset(arguments.get("released", ())),
        **_manner(arguments),
    )


def _client_keys(inspector: Inspector) -> ClientKeys:
    if inspector.client_keys is None:
        raise LookupError("The engine was opened without a setup of client keys.")
    return inspector.client_keys


def _noted(actor: str, arguments: Mapping[str, Any]) -> KeyRequest:
    return KeyRequest(actor, ReasonList(written=arguments["reason"]))


def _manner(arguments: Mapping[str, Any]) -> dict[str, bool]:
    return {"background": bool(arguments.get("background")), "accepts_loss": bool(arguments.get("acceptsLoss"))}


_CARRIED_OUT: Final[Mapping[CommandKind, Callable[[Inspector, str, Mapping[str, Any]], Awaitable[Outcome]]]] = {
    CommandKind.START: _start,
    CommandKind.STOP: lambda inspector, _, arguments: inspector.runs.stop(arguments["run"]),
    CommandKind.PAUSE: lambda inspector, _, arguments: inspector.runs.pause(arguments["run"]),
    CommandKind.FINISH: lambda inspector, _, arguments: inspector.runs.finish(arguments["run"]),
    CommandKind.RESUME: lambda inspector, _, arguments: inspector.runs.resume(arguments["run"]),
    CommandKind.APPLY: _apply,
    CommandKind.RELEASE: _release,
    CommandKind.UNDO_RUN: lambda inspector, actor, arguments: inspector.undo.of_run(
        arguments["run"], actor, **_manner(arguments)
    ),
    CommandKind.UNDO_BATCH: lambda inspector, actor, arguments: inspector.undo.of_batch(
        arguments["batch"], actor, **_manner(arguments)
    ),
    CommandKind.UNDO_ACTIONS: lambda inspector, actor, arguments: inspector.undo.of_actions(
        arguments["actions"], actor, **_manner(arguments)
    ),
    CommandKind.SWITCH: _switch,
    CommandKind.CANCEL: lambda inspector, _, arguments: inspector.commands.cancel(arguments["batch"]),
    CommandKind.CREATE_KEY: lambda inspector, actor, arguments: _client_keys(inspector).create(
        arguments["document"], _noted(actor, arguments)
    ),
    CommandKind.REVOKE_KEY: lambda inspector, actor, arguments: _client_keys(inspector).revoke(
        arguments["fingerprint"], _noted(actor, arguments)
    ),
    CommandKind.UNDO_KEY: lambda inspector, actor, arguments: _client_keys(inspector).undo(arguments["action"], actor),
}
