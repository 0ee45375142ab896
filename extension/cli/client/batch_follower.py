"""Commands on accounts: started in the background, and followed by their events until their batch has ended."""

from collections.abc import Callable, Mapping
from threading import Event
from typing import Any

from extension.cli.client.client import StoreRefused, Unreachable
from extension.cli.client.live_events import LiveEvents
from extension.cli.client.run_follower import newest_event
from extension.cli.client.service_lookup import ServiceLocation

ACTIVE = frozenset({"waiting", "running"})
"""States of a batch that has not ended."""
_PAUSE_SECONDS = 1.0
_ATTEMPTS = 30
_PAGE = 2000
_BATCHES = 200

Progress = Callable[[Mapping[str, Any]], None]
"""Callback with a batch in progress."""


def carried_out(
    found: ServiceLocation, path: str, progress: Progress, *, query: Mapping[str, Any] | None, body: Mapping[str, Any]
) -> dict[str, Any]:
    """Send a command, wait for the end of its batch, and return the batch (None: nothing to do) with its actions.

    The first call of `progress` says that the service has taken the command.

    Raises:
        Unreachable: the service does not come back.
        RequestRefused: the service refused the command.
    """
    after = newest_event(found)
    batch = found.client.post(path, query, {**body, "background": True})["batch"]
    if batch is None:
        return {"batch": None, "actions": []}
    progress(batch)
    ended = batch if batch["state"] not in ACTIVE else _followed(found, batch["id"], after, progress)
    return {"batch": ended, "actions": _actions(found, batch["id"])}


def read_batch(found: ServiceLocation, batch_id: int) -> dict[str, Any]:
    """Return one batch."""
    batch: dict[str, Any] = found.client.get(found.paths.part("pool/batches"), {"batch": batch_id})["batches"][0]
    return batch


def automatic_batches(found: ServiceLocation, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the batches that a run carried out by itself, oldest first."""
    answer = found.client.get(found.paths.part("pool/batches"), {"run": run["id"], "limit": _BATCHES})
    return [batch for batch in reversed(answer["batches"]) if batch["cause"] == "run"]


def _followed(found: ServiceLocation, batch_id: int, after: int, progress: Progress) -> dict[str, Any]:
    failures, events = 0, LiveEvents(found, after)
    while True:
        try:
            for event in events.read():
                failures = 0
                if event.kind == "batch" and event.data.get("batch") == batch_id:
                    progress(event.data)
                    if event.data.get("state") not in ACTIVE:
                        break
            batch = read_batch(found, batch_id)
            progress(batch)
            if batch["state"] not in ACTIVE:
                return batch
        except (Unreachable, StoreRefused):
            failures += 1
            if failures >= _ATTEMPTS:
                raise
        Event().wait(_PAUSE_SECONDS)


def _actions(found: ServiceLocation, batch_id: int) -> list[dict[str, Any]]:
    """Return the actions of a batch, oldest first."""
    actions: list[dict[str, Any]] = []
    query: dict[str, Any] = {"batch": batch_id, "limit": _PAGE}
    while True:
        page = found.client.get(found.paths.part("pool/actions"), query)["actions"]
        actions += page
        if len(page) < _PAGE:
            return actions[::-1]
        query["before"] = page[-1]["id"]
