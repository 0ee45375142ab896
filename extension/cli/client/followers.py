"""Runs and batches of a service: read, and followed until they have ended.

A run or batch is read again and again: gateways that relay whole answers only deliver no event stream. A service or its
database may be away for half a minute meanwhile.
"""

from collections.abc import Callable, Mapping
from threading import Event
from typing import Any

from extension.cli.client.client import StoreRefused, Unreachable
from extension.cli.client.service_lookup import ServiceLocation
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family

ENDED = frozenset({"finished", "stopped", "interrupted", "failed"})
"""Final states of a run."""
ACTIVE = frozenset({"waiting", "running"})
"""States of a batch that has not ended."""
_PAUSE_SECONDS = 0.5
_ATTEMPTS = 60
_PAGE = 1000
_ACTIONS = 2000
_BATCHES = 200

Progress = Callable[[Mapping[str, Any]], None]
"""Callback with a run or a batch in progress."""


def follow(service: ServiceLocation, run_id: int, progress: Progress) -> dict[str, Any]:
    """Wait for the end of a run and return it.

    Raises:
        Unreachable: the service does not come back.
        StoreRefused: its database does not.
        RequestRefused: the service does not know the run.
    """
    return _ended(lambda: read_run(service, run_id), lambda run: run["state"] in ENDED, progress)


def carried_out(
    service: ServiceLocation, path: str, progress: Progress, *, query: Mapping[str, Any] | None, body: Mapping[str, Any]
) -> dict[str, Any]:
    """Send a command, wait for the end of its batch, and return the batch (None: nothing to do) with its actions.

    The first call of `progress` means that the service has taken the command.

    Raises:
        Unreachable: the service does not come back.
        RequestRefused: the service refused the command.
    """
    batch = service.client.post(path, query, {**body, "background": True})["batch"]
    if batch is None:
        return {"batch": None, "actions": []}
    progress(batch)
    if batch["state"] in ACTIVE:
        number = batch["id"]
        batch = _ended(lambda: _read_batch(service, number), lambda newer: newer["state"] not in ACTIVE, progress)
    return {"batch": batch, "actions": _actions(service, batch["id"])}


def automatic_batches(service: ServiceLocation, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the batches that a run carried out by itself, oldest first."""
    answer = service.client.get(service.paths.part("pool/batches"), {"run": run["id"], "limit": _BATCHES})
    return [batch for batch in reversed(answer["batches"]) if batch["cause"] == "run"]


def read_run(service: ServiceLocation, run_id: int) -> dict[str, Any]:
    """Return one run."""
    run: dict[str, Any] = service.client.get(service.paths.part("inspections"), {"run": run_id})["runs"][0]
    return run


def chosen_run(service: ServiceLocation, run_id: int | None) -> dict[str, Any] | None:
    """Return the run with that number, the newest one without a number, or None where there is no run."""
    return newest_run(service) if run_id is None else read_run(service, run_id)


def newest_run(service: ServiceLocation) -> dict[str, Any] | None:
    """Return the newest run, or None without any."""
    runs: list[dict[str, Any]] = service.client.get(service.paths.part("inspections"), {"limit": 1})["runs"]
    return runs[0] if runs else None


def read_results(service: ServiceLocation, run_id: int) -> list[dict[str, Any]]:
    """Return all results of a run; `onHold` marks those whose recommended change it put on hold."""
    changes_on_hold = service.client.get(service.paths.part("inspections/held"), {"run": run_id})["held"]
    on_hold = {change["account"] for change in changes_on_hold}
    results: list[dict[str, Any]] = []
    after = 0
    while True:
        answer = service.client.get(
            service.paths.part("inspections/results"), {"run": run_id, "after": after, "limit": _PAGE}
        )
        if not answer["results"]:
            return results
        results += [{**result, "onHold": result["account"] in on_hold} for result in answer["results"]]
        after = answer["next"]


def file_types(service: ServiceLocation) -> frozenset[str]:
    """Return the types of the OAuth files in the pool."""
    query = {"source": Source.OAUTH.value, "family": Family.ALL.value, "view": "slim"}
    accounts = service.client.get(service.paths.part("pool"), query)["accounts"]
    return frozenset(str(account["provider"]).strip().lower() for account in accounts)


def _ended(
    read: Callable[[], dict[str, Any]], has_ended: Callable[[Mapping[str, Any]], bool], progress: Progress
) -> dict[str, Any]:
    failures = 0
    while True:
        try:
            current = read()
        except (Unreachable, StoreRefused):
            failures += 1
            if failures >= _ATTEMPTS:
                raise
        else:
            failures = 0
            progress(current)
            if has_ended(current):
                return current
        Event().wait(_PAUSE_SECONDS)


def _read_batch(service: ServiceLocation, batch_id: int) -> dict[str, Any]:
    batch: dict[str, Any] = service.client.get(service.paths.part("pool/batches"), {"batch": batch_id})["batches"][0]
    return batch


def _actions(service: ServiceLocation, batch_id: int) -> list[dict[str, Any]]:
    """Return the actions of a batch, oldest first."""
    actions: list[dict[str, Any]] = []
    query: dict[str, Any] = {"batch": batch_id, "limit": _ACTIONS}
    while True:
        page = service.client.get(service.paths.part("pool/actions"), query)["actions"]
        actions += page
        if len(page) < _ACTIONS:
            return actions[::-1]
        query["before"] = page[-1]["id"]
