"""Check of the program that a gateway starts for the plugin, before anything is written."""

import os
import subprocess
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

_SECONDS: Final = 30.0
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class ProgramUnusable(Exception):  # noqa: N818 - the name is the condition
    """A gateway could not start the program, or it is another version."""


def runs_here(gateway_dir: Path | None, server: str | None) -> bool:
    """Decide whether the gateway runs on this machine: its folder or its address is here."""
    return gateway_dir is not None or urlsplit(server or "").hostname in _LOOPBACK


def usable_program(path: Path, version: str) -> Path:
    """Return the whole path of a program that answers with a version."""
    program = path.expanduser().absolute()
    if not program.is_file():
        raise ProgramUnusable(f"The program {program} does not exist. Name an installed poolkeeper with --program.")
    if not os.access(program, os.X_OK):
        raise ProgramUnusable(f"The program {program} is not executable: run `chmod +x {program}`.")
    answer, fault = _answer(program)
    if fault or answer.split() != ["poolkeeper", version]:
        shown = fault or (f"answers {answer[:80]!r} to --version" if answer else "answers nothing to --version")
        raise ProgramUnusable(
            f"The program {program} {shown}. It has to answer 'poolkeeper {version}': install this version there, or"
            " name another program with --program."
        )
    return program


def _answer(program: Path) -> tuple[str, str]:
    """Return what the program answers to --version, and its fault when it cannot answer."""
    try:
        ended = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"does not answer to --version within {_SECONDS:.0f} s"
    except OSError as error:
        return "", f"cannot be started ({error.strerror or error})"
    if ended.returncode:
        return "", f"ends with status {ended.returncode} instead of an answer to --version"
    return ended.stdout.decode("utf-8", "replace").strip(), ""
