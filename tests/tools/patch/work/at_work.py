"""Short forms for tests that work on patches."""

from __future__ import annotations

from pathlib import Path

from tests.tools.repositories import Fork
from tools.files import DiskFiles
from tools.mirror.declaration import read_declaration
from tools.mirror.sync import Synchronisation
from tools.patch.work import PatchWork, Reasons

LINES = b"".join(b"line %d\n" % number for number in range(30))
REASONS = Reasons("we are called otherwise", drop_when="they rename themselves")


def work(fork: Fork) -> PatchWork:
    return PatchWork(fork.project, DiskFiles(), fork.said.append)


def order(fork: Fork) -> tuple[str, ...]:
    return read_declaration(fork.project).patches


def go_on(fork: Fork) -> None:
    Synchronisation(fork.project, DiskFiles(), fork.said.append).go_on()


def editing(fork: Fork, name: str) -> Path:
    return fork.root / "mirror/.gateway.edit" / name
