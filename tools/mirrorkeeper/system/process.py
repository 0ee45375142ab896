"""Another Python process that looks at the project and answers on standard output."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Self

from ..errors import ToolError
from .children import CHILDREN

_SECONDS = 120
# What an import makes is no garbage, and searching it takes a fifth of the time of a process that imports a framework.
_RUN = """
import gc, runpy
gc.set_threshold(100_000)
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""


class PythonProcess:
    """Runs this interpreter with a chosen import path; several can run while something else is done.

    It starts at once. Output goes to files, so that no pipe can fill up before it is read.
    """

    def __init__(self, arguments: Sequence[str], folder: Path, path: Iterable[Path]) -> None:
        """Start it in `folder`, with the folders of `path` as the only addition to the interpreter's own import path.

        Raises:
            ToolError: it cannot be started.
        """
        # Both live as long as this object and are closed by `answer` or `stop`.
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - see above
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - see above
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        try:
            self._process = CHILDREN.start(
                lambda: subprocess.Popen(
                    [sys.executable, *arguments],
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=self._output,
                    stderr=self._errors,
                )
            )
        except OSError as error:
            self._close()
            raise ToolError(f"{sys.executable} cannot be started: {error.strerror}") from error

    @classmethod
    def of_module(cls, module: str, folder: Path, path: Iterable[Path]) -> Self:
        """Start `python -P -m module`, which seldom searches for garbage; otherwise as the constructor."""
        return cls(["-P", "-c", _RUN.format(module=module)], folder, path)

    def answer(self, what: str, advice: str) -> str:
        """Wait for it to end and return its output.

        Args:
            what: how a message names its work.
            advice: the next step when it fails.

        Raises:
            ToolError: it failed; the message has its last line.
        """
        try:
            status = self._process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            self.stop()
            raise ToolError(f"{what}: no answer within {_SECONDS} seconds", advice) from None
        except BaseException:
            self.stop()
            raise
        CHILDREN.forget(self._process)
        output, errors = _read(self._output), _read(self._errors)
        self._close()
        if status != 0:
            last = next((line.strip() for line in reversed(errors.splitlines()) if line.strip()), f"status {status}")
            raise ToolError(f"{what}: {last}", advice)
        return output

    def stop(self) -> None:
        """End it, if it has not ended, and forget its output."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        CHILDREN.forget(self._process)
        self._close()

    def _close(self) -> None:
        self._output.close()
        self._errors.close()


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
