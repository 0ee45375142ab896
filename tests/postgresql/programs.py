"""Finds the programs of a PostgreSQL server for the tests, or installs them.

Order: the folder in POOLKEEPER_POSTGRESQL, the PATH, the folders of Debian and Red Hat; then Debian's package when run
as root on a Debian. A machine where none of this works gets an error that names the package to install: tests on
PostgreSQL are never skipped.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.installing import ensured, install_packages

ADVICE: Final = (
    "no PostgreSQL server found and none could be installed: install the package `postgresql`, or set "
    "POOLKEEPER_POSTGRESQL to the folder that holds `postgres` and `initdb`"
)
_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
_PROGRAMS: Final = ("initdb", "pg_ctl", "postgres")


def find_postgresql(environment: Mapping[str, str], places: tuple[str, ...] = _PLACES) -> Path | None:
    """Return the folder of the server's programs, or None when this machine has none.

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


def _complete(folder: Path) -> bool:
    return all((folder / program).is_file() for program in _PROGRAMS)


def _release(folder: Path) -> int:
    return int((re.findall(r"\d+", str(folder)) or ["0"])[-1])


if __name__ == "__main__":
    sys.exit(ensured("PostgreSQL", find_postgresql, lambda: install_packages("postgresql"), ADVICE))
