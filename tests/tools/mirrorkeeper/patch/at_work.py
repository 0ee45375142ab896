"""Short forms for tests that work on patches."""

from __future__ import annotations

from pathlib import Path

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.patch.head import Reasons
from tools.mirrorkeeper.patch.work import PatchWork
from tools.mirrorkeeper.system.files import DiskFiles

LINES = b"".join(b"line %d\n" % number for number in range(30))
REASONS = Reasons("we are called otherwise", drop_when="they rename themselves")


def work(fork: Fork) -> PatchWork:
    return PatchWork(fork.project, DiskFiles(), fork.said.append)


def order(fork: Fork) -> tuple[str, ...]:
    return read_declaration(fork.project).patches


def go_on(fork: Fork) -> None:
    Synchronization(fork.project, DiskFiles(), fork.said.append).go_on()


def editing(fork: Fork, name: str) -> Path:
    return fork.root / "mirror/.gateway.edit" / name
