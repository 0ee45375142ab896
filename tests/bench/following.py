"""Following a run as a stream does."""

from adapter.clock import SystemClock
from extension.engine.inspector import Inspector
from extension.store.records import EventKind
from extension.store.run_state import ENDED, RunState

_FRAME_SECONDS = 0.1


async def followed(inspector: Inspector) -> None:
    """Read the events as a stream does, at most ten times a second, until a run has ended."""
    last_seq, clock = 0, SystemClock()
    while await inspector.event_log.wait(last_seq):
        for event in await inspector.event_log.events(last_seq):
            last_seq = event.seq
            if event.kind is EventKind.RUN_STATE and RunState(event.data["state"]) in ENDED:
                return
        await clock.sleep(_FRAME_SECONDS)
