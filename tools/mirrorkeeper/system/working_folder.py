"""A folder beside the project for as long as something is worked out in it."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .children import CHILDREN
from .signals import held_signals

_TIMES = 20
_PAUSE = 0.05


@contextmanager
def working_folder(prefix: str) -> Iterator[str]:
    """Make a folder, and remove it at the end of the block; processes started in it must not write there any more."""
    folder = tempfile.TemporaryDirectory(prefix=prefix)
    try:
        yield folder.name
    except Exception:
        raise
    except BaseException:
        CHILDREN.end()
        raise
    finally:
        with held_signals():  # a second signal would leave the rest of it
            _remove(folder)


def _remove(folder: tempfile.TemporaryDirectory[str]) -> None:
    """Remove it; a process that git started may end a little later than git itself."""
    for _ in range(_TIMES):
        try:
            folder.cleanup()
        except OSError:
            threading.Event().wait(_PAUSE)
        else:
            return
    folder.cleanup()
