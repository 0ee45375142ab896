"""What is known of a plugin, and the sentence about one that does not run."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.plugin.v1.plugin_pb2 import ConfigureResponse

SILENT_SECONDS = 5.0
"""A process that says nothing for longer is said to."""
UNSTARTABLE = "its program cannot be started"
HANDSHAKE = "handshake"
ANSWER = "answer"


@dataclass(slots=True)
class Standing:
    """What a plugin said of itself last, why it does not run, and what is waited for: its process, or the next start.

    ``again_at`` is the time of the next start while there is no process, else None.
    """

    declared: "ConfigureResponse | None" = None
    problem: str = ""
    starts: int = 0
    failures: int = 0
    awaited: str = HANDSHAKE
    since: float = 0.0
    again_at: float | None = None

    def begin(self) -> None:
        """Note that a process is being started."""
        self.starts += 1
        self.awaited, self.since, self.again_at = HANDSHAKE, time.monotonic(), None

    def pause(self, seconds: float) -> None:
        """Note when the next process is started."""
        self.again_at = time.monotonic() + seconds

    @property
    def seconds_left(self) -> int:
        """Return the whole seconds until the next start, at least one."""
        left = 0.0 if self.again_at is None else self.again_at - time.monotonic()
        return max(round(left), 1)

    def sentences(self, plugin: str, limit: float) -> str:
        """Return why a plugin does not run, and what comes next; a start may take ``limit`` seconds."""
        if self.problem and self.again_at is not None:
            return f"The plugin {plugin} does not run: {self.problem}. It is started again in {self.seconds_left} s."
        known = f"does not run: {self.problem}. It was started again" if self.problem else "is starting"
        waited = time.monotonic() - self.since
        if not self.starts or waited < SILENT_SECONDS:
            return f"The plugin {plugin} {known}."
        silence = f"Its process has sent no {self.awaited} for {waited:.0f} s"
        ends = f"; after {limit:.0f} s it is ended and started again" if self.awaited == HANDSHAKE else ""
        return f"The plugin {plugin} {known}. {silence}{ends}."

    @property
    def unstartable(self) -> bool:
        """True when there is no process because the program cannot be started."""
        return self.problem.startswith(UNSTARTABLE)

    @property
    def silent(self) -> bool:
        """True while a process runs that has said nothing for a while."""
        waits = bool(self.starts) and self.again_at is None
        return waits and time.monotonic() - self.since >= SILENT_SECONDS
