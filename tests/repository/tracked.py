"""The files git tracks, read once, for the rules every file of the project is held to."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked_files() -> tuple[str, ...]:
    """Paths relative to the root, sorted; untracked files that are not ignored count, they are about to be tracked."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True).stdout
    return tuple(sorted({name for name in listing.decode().split("\0") if name and (ROOT / name).is_file()}))


def hand_written(*suffixes: str) -> tuple[str, ...]:
    """Files of these suffixes that people edit: neither mirrored nor generated."""
    return tuple(
        name
        for name in tracked_files()
        if name.endswith(suffixes) and not name.startswith("mirror/gateway/") and "_generated" not in name
    )


def text_of(name: str) -> str:
    """The file's text; bytes that are not UTF-8 come out replaced."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")
