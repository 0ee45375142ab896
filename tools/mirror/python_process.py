"""Another Python process that looks at the project and answers on standard output."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

from .errors import ToolError

_SECONDS = 120
# What an import makes is no garbage, and searching it takes a fifth of the time of importing a framework.
_RUN = """
import gc, runpy, sys
gc.disable()
del sys.argv[0]
run = runpy.run_path if sys.argv[0].endswith(".py") else runpy.run_module
run(sys.argv[0], run_name="__main__")
"""


class PythonProcess:
    """This interpreter with a chosen import path; it starts at once, so that several work beside each other.

    Use it as a context manager: the end of the block ends the process.
    """

    def __init__(self, arguments: Sequence[str], folder: Path, path: Iterable[Path]) -> None:
        """Start a file or a module with its arguments in a folder, with `path` before the interpreter's own."""
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as above
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _RUN, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._errors,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._output.close()
        self._errors.close()

    def answer(self, subject: str, hint: str) -> str:
        """Wait for its end and return its output. Raises ToolError: it failed; subject, last line and `hint`."""
        try:
            status = self._process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            raise ToolError(f"{subject}: no answer within {_SECONDS} seconds", hint) from None
        for stream in (self._output, self._errors):
            stream.seek(0)
        if status != 0:
            lines = self._errors.read().decode("utf-8", "replace").split("\n")
            last = next((line.strip() for line in reversed(lines) if line.strip()), f"status {status}")
            raise ToolError(f"{subject}: {last}", hint)
        return self._output.read().decode("utf-8", "replace")
