"""Faults of the store: the opening that finds one, tries until it has passed, and the service without its store."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.contract.expectations import LIVE, READY
from extension.api.auth.authenticator import Authenticator
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.stream_guard import StreamGuard
from extension.api.metrics.monitoring import health
from extension.api.paths import Paths
from extension.api.problems import Problem
from extension.store.data_folder import DataFolder
from extension.store.errors import DatabaseUnavailable, DataFolderUnusable, StoreError
from extension.store.installation import begins_anew, installation_key, require_database
from extension.store.integrity import TRIED_AGAIN, may_pass, recovery

KEY_BYTES: Final = 32
StoreFaults = Callable[[StoreError], bool]
"""Predicate on errors of the store."""
_BEGINS_ANEW: Final = (
    "{} is not there, although a start before this one has used this data folder: runs and action history begin anew. "
    "If there were any, stop the service and restore the file from a backup."
)

_log = structlog.get_logger("poolkeeper.serving")


def no_fault(_: StoreError) -> bool:
    """Return false: a service starts whatever its store says."""
    return False


def every_fault(_: StoreError) -> bool:
    """Return true: nothing is done without the store."""
    return True


def folder_of(path: Path, ends_at: StoreFaults) -> tuple[DataFolder, StoreError | None]:
    """Open the data folder; the service goes on without it, and without inspection, where the start does not end."""
    try:
        return DataFolder.open(path), None
    except DataFolderUnusable as fault:
        if ends_at(fault):
            raise
        return DataFolder.without_files(path), fault


def installation_of(folder: DataFolder, ends_at: StoreFaults, *, local: bool) -> tuple[bytes, StoreError | None]:
    """Read the installation key, as `folder_of`; `local` when the database is in the folder."""
    try:
        if local:
            require_database(folder)
            if begins_anew(folder):
                _log.warning(_BEGINS_ANEW.format(folder.database))
        return installation_key(folder), None
    except StoreError as found:
        if ends_at(found):
            raise
        return os.urandom(KEY_BYTES), found


FIRST_SECONDS: Final = 5.0
LONGEST_SECONDS: Final = 60.0


class StoreRetry:
    """Pauses between tries, which double from 5 seconds to a minute."""

    def __init__(self) -> None:
        self._pause = FIRST_SECONDS

    def next_pause(self) -> float:
        """Return the seconds until the next try."""
        pause = self._pause
        self._pause = min(pause * 2, LONGEST_SECONDS)
        return pause

    def reset(self) -> None:
        """Begin with the shortest pause again."""
        self._pause = FIRST_SECONDS


def unavailable(text: str, exception: str = "") -> Problem:
    """Say that inspection is off until a later try; an `exception` is a cause that no later try can remove."""
    return Problem(503, text, "store_unavailable", " ".join(filter(None, (TRIED_AGAIN, exception))))


_FOR_STRANGERS = {
    False: "Inspection is off. The log of the service says why.",
    True: (
        "Inspection is off: the data folder or database cannot be used at the moment. The log of the service says why."
    ),
}
"""Text without a path or a name; by whether the fault may pass."""
_SAFE = frozenset({"GET", "HEAD"})


def _for_strangers(fault: StoreError) -> str:
    plain = fault.plain if isinstance(fault, DatabaseUnavailable) else ""
    return f"Inspection is off: the database cannot be used: {plain}" if plain else _FOR_STRANGERS[may_pass(fault)]


def inspection_off(fault: StoreError, authenticator: Authenticator, streams: StreamGuard, paths: Paths) -> ASGIApp:
    """Make the application that answers own paths: the reason for callers with the key, less for everyone else.

    The health checks stay open: the service lives, and is not ready.
    """

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        is_authenticated = "principal" in scope.get("state", {})
        cause = str(fault).removesuffix(recovery(fault)).strip()  # the hint says the rest
        text = f"Inspection is off: {cause}" if is_authenticated else _for_strangers(fault)
        problem = unavailable(text) if may_pass(fault) else Problem(503, text, "inspection_off", recovery(fault))
        await problem.answer()(scope, receive, send)

    guarded = AuthenticationMiddleware(refuse, authenticator, frozenset({paths.part("info/session")}), streams)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == LIVE and scope["method"] in _SAFE:
            await health(ready=True)(scope, receive, send)
        elif scope["path"] == READY and scope["method"] in _SAFE:
            await refuse(scope, receive, send)
        else:
            await guarded(scope, receive, send)

    return answer
