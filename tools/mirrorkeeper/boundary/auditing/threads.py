"""Starters of threads: with a function of a library as target, no line of the project stands on a thread's stack."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import FrameType
from typing import NamedTuple

_STARTED_AT = "_mirrorkeeper_started_at"
# Threads that work for whoever hands them something: who started one says nothing of who is served.
_SERVING = (
    ("concurrent/futures/thread.py", "_worker"),
    ("multiprocessing/pool.py", "worker"),
    ("anyio/_backends/_asyncio.py", "run"),
)
_COLLECTING = "_pytest/pathlib.py"


class StartLine(NamedTuple):
    """A line of the project; the mirrored package itself has no path."""

    path: str
    line: int


PACKAGE = StartLine("", 0)


def begin(thread: threading.Thread, place: StartLine | None) -> None:
    """Remember the line that starts a thread."""
    vars(thread)[_STARTED_AT] = place


def starter() -> StartLine | None:
    """The line that started this thread; None where that is not known."""
    thread = threading._active.get(threading.get_ident())  # type: ignore[attr-defined]  # noqa: SLF001 - makes no thread
    place: StartLine | None = None if thread is None else vars(thread).get(_STARTED_AT)
    return place


def serves_others(frame: FrameType | None) -> bool:
    """Return whether a frame is in a thread of a pool."""
    return any(
        one.f_code.co_name == name and one.f_code.co_filename.endswith(file)
        for one in _above(frame)
        for file, name in _SERVING
    )


def collected_by_pytest(frame: FrameType | None) -> str:
    """The test file that pytest imports of its own accord; empty of any other import."""
    for one in _above(frame):
        if one.f_code.co_name == "import_path" and one.f_code.co_filename.endswith(_COLLECTING):
            return str(one.f_locals.get("path", ""))
    return ""


def _above(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
