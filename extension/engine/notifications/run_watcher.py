"""Run watcher: a notification for every finished run with changed results; no secrets."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Protocol

import structlog

from adapter.clock import Clock
from extension.engine.event_log import EventLog
from extension.engine.history.comparison import Difference
from extension.engine.history.reader import History
from extension.store.records import EventKind, EventRecord, ResultRecord, RunRecord
from extension.store.run_state import RunState

_LOG = structlog.get_logger("poolkeeper.notify")

MOST_CHANGES: Final = 200
"""Most accounts that one message names; `changed` counts all of them."""
_PAGE: Final = 500
_BEYOND_THE_END: Final = 2**53
_PAUSE_SECONDS: Final = 5.0
"""After trouble; it is mostly the database's, and passes."""


class NotificationSender(Protocol):
    """Sender of messages."""

    async def is_wanted(self) -> bool:
        """Say whether an address is configured."""

    async def send(self, message: Mapping[str, Any]) -> bool:
        """Send a JSON object, and return whether it was accepted."""


class RunWatcher:
    """Follower of the event log from `open` on; earlier runs are not reported."""

    def __init__(self, feed: EventLog, history: History, sender: NotificationSender, clock: Clock) -> None:
        self._event_log = feed
        self._history = history
        self._sender = sender
        self._clock = clock
        self._work: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to listen."""
        (end,) = await self._event_log.events(_BEYOND_THE_END, None, 1)
        self._work = asyncio.create_task(self._follow(end.seq))

    async def close(self) -> None:
        """Listen no more; a message under way is dropped."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})

    async def _follow(self, after: int) -> None:
        """Report finished runs until the log closes; no error ends the loop, because its end would go unnoticed."""
        while True:
            try:
                if not await self._event_log.wait(after):
                    return
                for event in await self._event_log.events(after, None, _PAGE):
                    after = event.seq
                    if _is_finish(event) and event.run_id is not None:
                        await self._tell(event.run_id)
            except Exception as error:  # noqa: BLE001 - see above
                _LOG.exception("change-not-told", error=type(error).__name__)
                await self._clock.sleep(_PAUSE_SECONDS)

    async def _tell(self, run_id: int) -> None:
        if not await self._sender.is_wanted():
            return
        run, found = await self._history.get(run_id), await self._history.difference(run_id)
        if found.against is not None and not found.is_empty:
            await self._sender.send(message(run, found))


def _is_finish(event: EventRecord) -> bool:
    return event.kind is EventKind.RUN_STATE and event.data.get("state") == RunState.FINISHED


def message(run: RunRecord, found: Difference) -> dict[str, Any]:
    """Return the changes as JSON: display names, verdicts and states, without requests and answers."""
    changes = [
        *((change.before, change.after) for change in found.changed),
        *((None, result) for result in found.appeared),
        *((result, None) for result in found.gone),
    ]
    return {
        "kind": "inspection.changed",
        "run": run.id,
        "against": found.against,
        "accountSource": run.account_source,
        "targetType": run.target_type,
        "startedBy": run.started_by,
        "verdicts": dict(run.verdicts),
        "covered": found.covered,
        "changed": len(changes),
        "changes": [_change(before, after) for before, after in changes[:MOST_CHANGES]],
    }


def _change(before: ResultRecord | None, after: ResultRecord | None) -> dict[str, Any]:
    shown = after or before
    return {
        "account": shown.account_id if shown else None,
        "displayName": shown.display_name if shown else "",
        "before": _picture(before),
        "after": _picture(after),
    }


def _picture(result: ResultRecord | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {"verdict": result.verdict, "action": result.action, "enabled": result.enabled}
