"""PostgreSQL of the demo and of the tests: a cluster in a folder of its own, on a unix socket alone."""

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ...mirror.errors import ToolError

SUPERUSER: Final = "poolkeeper"
ADVICE: Final = (
    "Install the package `postgresql`, or set POOLKEEPER_POSTGRESQL to the folder that holds `postgres` and `initdb`."
)
_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
_PROGRAMS: Final = ("initdb", "pg_ctl", "postgres")
_ACCOUNTS: Final = ("postgres", "nobody")


def find_postgresql(environment: Mapping[str, str], places: tuple[str, ...] = _PLACES) -> Path | None:
    """Return the folder of the server's programs, or None when this machine has none.

    Order: the folder in POOLKEEPER_POSTGRESQL, the PATH, the folders of Debian and Red Hat.

    Raises FileNotFoundError: POOLKEEPER_POSTGRESQL names a folder without them.
    """
    wished = environment.get("POOLKEEPER_POSTGRESQL", "").strip()
    if wished:
        if not _complete(Path(wished)):
            raise FileNotFoundError(f"POOLKEEPER_POSTGRESQL names {wished}, which does not hold {', '.join(_PROGRAMS)}")
        return Path(wished)
    program = shutil.which("postgres", path=environment.get("PATH"))
    installed = [path for place in places for path in Path("/").glob(place.lstrip("/"))]
    newest_first = sorted(installed, key=_release, reverse=True)
    candidates = [*([Path(program).resolve().parent] if program else []), *newest_first]
    return next((folder for folder in candidates if _complete(folder)), None)


class Cluster:
    """A cluster in a folder; its path is short, because the name of a socket has 107 characters at most."""

    def __init__(self, programs: Path, folder: Path, options: Sequence[str]) -> None:
        self._programs = programs
        self._folder = folder
        self._options = [*options, "listen_addresses=", f"unix_socket_directories={folder}"]
        self._user = _user()

    @property
    def data(self) -> Path:
        """Folder of its files."""
        return self._folder / "data"

    def make(self) -> None:
        """Create the cluster, which belongs to an account without rights where this process is root's."""
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        self._run("initdb", "-D", str(self.data), "-U", SUPERUSER, "--auth=trust", "--no-sync", "-E", "UTF8",
                  "--locale=C")  # fmt: skip

    def start(self, more: Sequence[str] = ()) -> None:
        """Start the server and wait until it answers."""
        options = " ".join(f"-c {option}" for option in (*self._options, *more))
        log = str(self._folder / "log")
        self._run("pg_ctl", "start", "-D", str(self.data), "-w", "-s", "-l", log, "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; with the mode `immediate` as a power cut would."""
        self._run("pg_ctl", "stop", "-D", str(self.data), "-w", "-s", "-m", mode)

    def address(self, database: str) -> str:
        """Return the address of a database; `postgres` is there from the beginning."""
        return f"postgresql://{SUPERUSER}@/{database}?host={self._folder}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            user=self._user,
            group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
            extra_groups=None if self._user is None else [],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if program == "initdb" else None,
            # A Ctrl-C is for the demo, which stops the server in order.
            start_new_session=True,
            check=False,
        )
        if done.returncode != 0:
            raise ToolError(f"{program} failed: {done.stdout!r}", ADVICE)


def _complete(folder: Path) -> bool:
    return all((folder / program).is_file() for program in _PROGRAMS)


def _release(folder: Path) -> int:
    return int((re.findall(r"\d+", str(folder)) or ["0"])[-1])


def _user() -> str | None:
    """Return the user to run as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in _ACCOUNTS if name in names)
