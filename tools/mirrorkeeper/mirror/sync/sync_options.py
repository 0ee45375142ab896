"""Options of one synchronization, and those that a paused one is taken up with."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ToolError
from ...lockfile.pin import Pin
from ...tool_name import TOOL
from ..workspace.edit_workspace import EditWorkspace, PausedSync


@dataclass(frozen=True)
class SyncOptions:
    """Options of one synchronization.

    Attributes:
        wanted: tag or full commit id; None takes the pin again, or the newest release when there is no pin.
        source: another place to fetch from than the declared one.
        dry_run: build and validate everything, change nothing.
        discard: overwrite local changes in the mirror.
        accept_moved_tag: take a tag that points elsewhere than when it was pinned.
        offline: use no network; the place to fetch from has to be on this machine.
        refresh: patches that fit without a person are made anew; a pause remembers it.
    """

    wanted: str | None = None
    source: str | None = None
    dry_run: bool = False
    discard: bool = False
    accept_moved_tag: bool = False
    offline: bool = False
    refresh: bool = False

    @classmethod
    def taking_up(cls, paused: PausedSync) -> SyncOptions:
        """Return the options of a synchronization that was paused."""
        return cls(
            paused.wanted,
            paused.source,
            discard=paused.discard,
            accept_moved_tag=paused.accept_moved_tag,
            refresh=paused.refresh,
        )


def refuse_another(workspace: EditWorkspace, options: SyncOptions, old: Pin | None) -> None:
    """Refuse to drop a paused synchronization, and the patches made for it, for another release.

    Raises:
        ToolError: one is paused that has not come to its end.
    """
    if options.dry_run or not workspace.record.exists():
        return
    paused = workspace.paused()
    ended = old is not None and paused is not None and paused.wanted in (old.reference, old.commit)
    if paused is not None and paused.wanted != options.wanted and not ended:
        raise ToolError(
            f"a synchronization to {paused.wanted} is paused at {paused.patch}",
            f"take it up: {TOOL} mirror sync --continue; or give it up: {TOOL} mirror sync --abort",
        )
