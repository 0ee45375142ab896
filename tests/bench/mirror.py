"""Verifying and synchronising a mirror, beside what else compares two trees; each contestant is a whole process."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.table import table
from tests.tools.repositories import Fork, Upstream, make_fork

SIZES = {1_400: 7, 80_000: 3}
CHANGED = 100
_BYTES = 2_000


def report() -> str:
    """Measure both sizes in interleaved rounds and answer the tables."""
    return "\n\n".join(_measured(files, rounds) for files, rounds in SIZES.items())


def _measured(files: int, rounds: int) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        upstream = _upstream(folder, files)
        fork = _mirrored(folder)
        copied = folder / "copied"
        shutil.copytree(fork.mirror, copied, symlinks=True)
        seconds: dict[str, list[float]] = {}
        for number in range(rounds):
            for title, command in _contestants(fork, copied).items():
                seconds.setdefault(title, []).append(_seconds(command, fork.root))
            tag = f"v1.{number + 1}.0"
            changed = {f"d{at % 97}/f{at}.txt": b"%d %d\n" % (number, at) * 100 for at in range(CHANGED)}
            upstream.commit(changed, tag=tag)
            title = f"mirror sync of {CHANGED} changed files"
            seconds.setdefault(title, []).append(_seconds(_tools("mirror", "sync", tag), fork.root))
            fork.project.git.run("commit", "--quiet", f"--message={tag}")
        return table(f"A mirror of {files} files of {_BYTES} bytes, {rounds} rounds, whole processes", seconds)


def _upstream(folder: Path, files: int) -> Upstream:
    upstream = Upstream(folder / "upstream")
    content = {f"d{at % 97}/f{at}.txt": (b"line %d of a file\n" % at * 200)[:_BYTES] for at in range(files)}
    upstream.commit(content, tag="v1.0.0")
    return upstream


def _mirrored(folder: Path) -> Fork:
    fork = make_fork(folder / "fork", "../upstream")
    fork.sync("v1.0.0")
    fork.project.git.run("commit", "--quiet", "--message=one")
    # A second look settles what git records of files that were written in the same moment as its index.
    time_passed = time.monotonic() + 1.1
    while time.monotonic() < time_passed:
        pass
    fork.project.git.run("update-index", "-q", "--refresh")
    return fork


def _tools(*arguments: str) -> list[str]:
    source = Path(__file__).parents[2]
    return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(source)!r}); import tools.__main__", *arguments]


def _contestants(fork: Fork, copied: Path) -> dict[str, Sequence[str]]:
    return {
        "python that does nothing": [sys.executable, "-c", "pass"],
        "mirror verify": _tools("mirror", "verify"),
        "mirror verify --bytes": _tools("mirror", "verify", "--bytes"),
        "mirror verify --prove": _tools("mirror", "verify", "--prove"),
        "mirror sync, nothing to do": _tools("mirror", "sync"),
        "git status": ["git", "status", "--porcelain", "-uall", "--ignored"],
        "diff -rq with a copy": ["diff", "-rq", str(fork.mirror), str(copied)],
        "git diff --no-index with a copy": ["git", "diff", "--no-index", "--quiet", str(fork.mirror), str(copied)],
    }


def _seconds(command: Sequence[str], folder: Path) -> float:
    begin = time.perf_counter()
    subprocess.run(command, cwd=folder, check=False, capture_output=True)
    return time.perf_counter() - begin
