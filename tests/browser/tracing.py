"""CPU time of the tasks of a page, from Chromium's own trace.

A long task of the browser's observer is wall time, in which the machine may do something else; the trace also has the
CPU time of every task of the page's main thread.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Page

CATEGORIES: Final = ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "blink.user_timing"]
_TASK: Final = "RunTask"
_MAIN: Final = "CrRendererMain"


@dataclass
class Tasks:
    """Tasks of a page's main thread while a trace ran: CPU milliseconds, with the start in the trace's clock."""

    events: list[dict[str, Any]] = field(default_factory=list)

    def by_duration(self) -> list[float]:
        """Return the CPU time of every task, the longest first."""
        return sorted((event.get("tdur", 0) / 1000 for event in self._tasks()), reverse=True)

    @property
    def longest(self) -> float:
        """Return the longest task's CPU time."""
        return max(self.by_duration(), default=0.0)

    def total(self, until: str = "") -> float:
        """Return the CPU time of all tasks that began before the page set a mark."""
        end = min((event["ts"] for event in self.events if until and event["name"] == until), default=float("inf"))
        return float(sum(event.get("tdur", 0) / 1000 for event in self._tasks() if event["ts"] <= end))

    def _tasks(self) -> list[dict[str, Any]]:
        process = self._process()
        threads = {
            (event["pid"], event["tid"])
            for event in self.events
            if event["name"] == "thread_name" and event["args"]["name"] == _MAIN and process in (None, event["pid"])
        }
        return [
            event
            for event in self.events
            if event["name"] == _TASK and event["ph"] == "X" and (event["pid"], event["tid"]) in threads
        ]

    def _process(self) -> int | None:
        """Return the process of the page: another of the same browser may be busy with an older page."""
        marks = [event["pid"] for event in self.events if event["name"] == "poolkeeper-traced"]
        return marks[0] if marks else None


@contextmanager
def traced(page: Page) -> Iterator[Tasks]:
    """Trace a page; the tasks are there afterwards."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate("performance.mark('poolkeeper-traced')")
    tasks = Tasks()
    try:
        yield tasks
    finally:
        tasks.events = json.loads(browser.stop_tracing())["traceEvents"]
