"""Verifying and synchronizing a mirror, beside what else compares two trees.

Each contestant is a whole process but for one, which leaves the start of Python out. Three more say how much of the
others is that start: the bare interpreter, with the standard modules that a check needs, and with a look at each file.

`mirrorkeeper-verify` repeats an answer while nothing has changed: it is called once before it is measured, when the
files have been at rest for as long as it asks for.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.bench.installed_tools import install_tools
from tests.bench.table import table
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.declaration.first_declaration import FirstDeclaration
from tools.mirrorkeeper.mirror.source.cache import VARIABLE
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.collection import without_collection

SIZES = {1_400: 7, 80_000: 3}
CHANGED = 100
BARE = "python -I -c pass"
LIBRARY = "python -I, standard modules"
LOOKING = "python -I, a look at each file"
INSIDE = "mirror verify within a process"
PROGRAM = "mirrorkeeper-verify"
OPTIONS = ("", "--bytes", "--prove")
_BYTES = 2_000
_ROOM = 3_000_000_000
# Those that a quick check cannot do without: what is left of its start without a line of ours.
_MODULES = "import contextlib, functools, pathlib, signal, subprocess, tomllib, typing"
_LOOK = """
import os, sys
pending = [sys.argv[1]]
while pending:
    for entry in os.scandir(pending.pop()):
        entry.stat(follow_symlinks=False)
        if entry.is_dir(follow_symlinks=False):
            pending.append(entry.path)
"""
# As `python -m tools` does, from any folder.
_START = "import sys; sys.path.insert(0, {!r}); import tools.__main__"


def report() -> str:
    """Measure both sizes in interleaved rounds and answer the tables."""
    with tempfile.TemporaryDirectory() as folder:
        programs = install_tools(Path(folder))
        return "\n\n".join(_measured(files, rounds, programs) for files, rounds in SIZES.items())


@dataclass
class Measured:
    """Seconds of each contestant, round by round: by the clock, and of the processors.

    Attributes:
        bytecode: where Python keeps its bytecode, as it does for tools that are installed.
        elapsed: by the clock.
        processors: of the processors.
    """

    bytecode: Path

    elapsed: dict[str, list[float]] = field(default_factory=dict)
    processors: dict[str, list[float]] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of all contestants: the program keeps an answer for each."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return {**kept, "PYTHONPYCACHEPREFIX": str(self.bytecode)}

    def add(self, title: str, command: Sequence[str], folder: Path) -> bytes:
        """Run the command once, as a whole process; return its standard error."""
        before, begin = _used(), time.perf_counter()
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, env=self.environment)
        self._note(title, before, begin)
        return done.stderr

    def add_call(self, title: str, call: Callable[[], None]) -> None:
        """Call it once in this process; what its own commands take counts as well."""
        before, begin = _used() + time.process_time(), time.perf_counter()
        call()
        self._note(title, before - time.process_time(), begin)

    def _note(self, title: str, before: float, begin: float) -> None:
        self.elapsed.setdefault(title, []).append(time.perf_counter() - begin)
        self.processors.setdefault(title, []).append(_used() - before)


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _checked(fork: Fork) -> None:
    """Verify as the gates do, in a process that has its imports behind it: a project that nothing was read of yet."""
    with without_collection():
        report = verify(Project.at(fork.root), VerifyOptions())
    if report.findings:
        raise RuntimeError(report.findings[0].message)


def _measured(files: int, rounds: int, programs: Path) -> str:
    # In memory where there is room: removing 300,000 files takes some disks minutes, and nothing here is about disks.
    memory = Path("/dev/shm")  # noqa: S108 - only the parent of a folder of our own
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > _ROOM
    with tempfile.TemporaryDirectory(dir=memory if roomy else None) as name:
        folder = Path(name)
        os.environ[VARIABLE] = str(folder / "cache")
        upstream = _upstream(folder, files)
        fork = mirrored(folder)
        copied = folder / "copied"
        shutil.copytree(fork.mirror, copied, symlinks=True)
        measured = Measured(folder / "bytecode")
        for title, command in _contestants(fork, copied).items():
            Measured(measured.bytecode).add(title, command, fork.root)  # once, for the bytecode
        _checked(fork)
        for number in range(rounds):
            settle_index(fork)
            settle_answers(fork, programs, measured.environment)
            for title, command in _contestants(fork, copied).items():
                measured.add(title, command, fork.root)
            for title, command in _repeats(programs).items():
                refuse_a_check(measured.add(title, command, fork.root))
            measured.add_call(INSIDE, partial(_checked, fork))
            measured.add("mirror sync, nothing to do", _tools("mirror", "sync"), fork.root)
            tag = f"v1.{number + 1}.0"
            changed = {f"d{at % 97}/f{at}.txt": b"%d %d\n" % (number, at) * 100 for at in range(CHANGED)}
            upstream.commit(changed, tag=tag)
            measured.add(f"mirror sync of {CHANGED} changed files", _tools("mirror", "sync", tag), fork.root)
            for path in changed:
                shutil.copy(fork.mirror / path, copied / path)
            fork.project.git.run("commit", "--quiet", f"--message={tag}")
        title = f"A mirror of {files} files of {_BYTES} bytes, {rounds} rounds, whole processes but for one row"
        elapsed = table(f"{title}, by the clock", measured.elapsed)
        return f"{elapsed}\n{table('the same, time of the processors', measured.processors)}"


def _upstream(folder: Path, files: int) -> Upstream:
    upstream = Upstream(folder / "upstream")
    content = {f"d{at % 97}/f{at}.txt": (b"line %d of a file\n" % at * 200)[:_BYTES] for at in range(files)}
    upstream.commit(content, tag="v1.0.0")
    return upstream


def mirrored(folder: Path) -> Fork:
    """A fork of the upstream in `folder`, with the attributes that `init` writes: what users have."""
    fork = make_fork(folder / "fork", "../upstream")
    lines = FirstDeclaration("../upstream", fork.mirror.relative_to(fork.root).as_posix()).attributes
    (fork.root / ".gitattributes").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    fork.project.git.run("add", ".gitattributes")
    fork.sync("v1.0.0")
    fork.project.git.run("commit", "--quiet", "--message=one")
    settle_index(fork)
    return fork


def settle_index(fork: Fork) -> None:
    """Have git look again at files that were written in the same moment as its index: it records them for good."""
    threading.Event().wait(1.1)
    fork.project.git.run("update-index", "-q", "--refresh")


def settle_answers(fork: Fork, programs: Path, environment: Mapping[str, str]) -> None:
    """Have the program keep an answer of each kind: it wants files that were at rest for two seconds.

    Raises:
        CalledProcessError: an answer is not clean.
    """
    threading.Event().wait(2.1)
    for command in _repeats(programs).values():
        subprocess.run(command, cwd=fork.root, check=True, capture_output=True, env=environment)


def refuse_a_check(said: bytes) -> None:
    """Refuse a measurement of an answer that was not repeated.

    Raises:
        RuntimeError: the program started the command.
    """
    if not said.startswith(b"nothing has changed"):
        raise RuntimeError(f"the answer was not repeated: {said.decode()}")


def _repeats(programs: Path) -> dict[str, list[str]]:
    return {
        f"{PROGRAM} {option}".rstrip(): [str(programs / PROGRAM), *([option] if option else [])] for option in OPTIONS
    }


def _tools(*arguments: str) -> list[str]:
    source = Path(__file__).parents[2]
    return [sys.executable, "-c", _START.format(str(source)), *arguments]


def _contestants(fork: Fork, copied: Path) -> dict[str, Sequence[str]]:
    return {
        BARE: [sys.executable, "-I", "-c", "pass"],
        LIBRARY: [sys.executable, "-I", "-c", _MODULES],
        LOOKING: [sys.executable, "-I", "-c", _LOOK, str(fork.mirror)],
        "mirror verify": _tools("mirror", "verify"),
        "mirror verify --bytes": _tools("mirror", "verify", "--bytes"),
        "mirror verify --prove": _tools("mirror", "verify", "--prove"),
        "git status": ["git", "status", "--porcelain", "-uall", "--ignored"],
        "diff -rq with a copy": ["diff", "-rq", str(fork.mirror), str(copied)],
        "git diff --no-index with a copy": ["git", "diff", "--no-index", "--quiet", str(fork.mirror), str(copied)],
    }
