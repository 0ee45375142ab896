"""`plugin install` or `remove` that ends or fails at the n-th change of a file below a folder.

Each line of the standard input is a JSON list `[kill|fail|late, N, LIBRARY, FOLDER, install|remove]`; N is 0 for no
interruption; `late` kills after N microseconds, wherever that is. It is carried out by a process forked off this one,
which has imported everything already, and answered by a line `[status, output]`; the status of a killed one is the
negative number of the signal.
"""

import errno
import json
import os
import signal
import sys
from pathlib import Path
from threading import Event
from typing import NamedTuple, TextIO

from click.testing import CliRunner

from extension.cli.plugin.install import install
from extension.cli.plugin.remove import remove

_CHANGES = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"})
_WRITING = os.O_WRONLY | os.O_RDWR


class Asked(NamedTuple):
    """One command, and the change at which it is interrupted."""

    kind: str
    number: int
    library: str
    folder: str
    command: str


class Interruption:
    """Counts changes, and interrupts one of them."""

    def __init__(self, kind: str, number: int, folder: str) -> None:
        self._kind, self._left, self._folder = kind, number, folder

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """See `sys.addaudithook`."""
        if event not in _CHANGES or (event == "open" and not self._writes(arguments[2])):
            return
        named = isinstance(arguments[0], str | os.PathLike) and os.fspath(arguments[0]).startswith(self._folder)
        if not named and event != "os.chmod":
            return
        self._left -= 1
        if self._left == 0:
            if self._kind == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(arguments[0]))

    @staticmethod
    def _writes(flags: object) -> bool:
        return isinstance(flags, int) and bool(flags & _WRITING)


def main() -> None:
    for line in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with os.fdopen(writing, "w") as output:
                status = carry_out(Asked(*json.loads(line)), output)
            os._exit(status)
        os.close(writing)
        kind, number = json.loads(line)[:2]
        if kind == "late" and number:
            Event().wait(number / 1e6)
            os.kill(child, signal.SIGKILL)
        with os.fdopen(reading) as said:
            output_of_child = said.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.write(json.dumps([status, output_of_child]) + "\n")
        sys.stdout.flush()


def carry_out(asked: Asked, output: TextIO) -> int:
    """Run the command with the interruption, write what it prints, and return its status."""
    sys.argv[0] = str(Path(sys.executable).with_name("poolkeeper"))
    sys.modules["extension.cli.plugin.install"].__dict__["native_library"] = lambda: Path(asked.library)
    if asked.kind != "late":
        sys.addaudithook(Interruption(asked.kind, asked.number, asked.folder))
    program = install if asked.command == "install" else remove
    result = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"}).invoke(program, ["--gateway-dir", asked.folder])
    output.write(result.output)
    return result.exit_code


if __name__ == "__main__":
    main()
