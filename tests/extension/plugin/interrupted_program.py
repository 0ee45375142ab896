"""`plugin install` or `remove` that ends or fails at the n-th change of a file below a folder.

Usage: python interrupted_program.py kill|fail N LIBRARY FOLDER install|remove. N is 0 for no interruption.
"""

import errno
import os
import signal
import sys
from pathlib import Path

from click.testing import CliRunner

from extension.cli.plugin.install import install
from extension.cli.plugin.remove import remove

_CHANGES = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"})
_WRITING = os.O_WRONLY | os.O_RDWR


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
    kind, number, library, folder, command = sys.argv[1:]
    sys.argv[0] = str(Path(sys.executable).with_name("poolkeeper"))
    sys.modules["extension.cli.plugin.install"].__dict__["native_library"] = lambda: Path(library)
    sys.addaudithook(Interruption(kind, int(number), folder))
    program = install if command == "install" else remove
    result = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"}).invoke(program, ["--gateway-dir", folder])
    sys.stdout.write(result.output)
    raise SystemExit(result.exit_code)


if __name__ == "__main__":
    main()
