"""Objects of a repository by the names that lead to them, all by one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .command import Git, Running


class NamedObject(NamedTuple):
    """An object that a name leads to: its id, its kind, its body."""

    oid: str
    kind: str
    body: bytes


def read_named(git: Git, names: Sequence[str]) -> list[NamedObject | None]:
    """Return the objects of these names, by one process; None of a name that leads to none."""
    return parse_named(start_named(git, names).finish().stdout, names)


def start_named(git: Git, names: Sequence[str]) -> Running:
    """Ask for the objects of these names; `parse_named` reads the answer."""
    asked = b"".join(_asked(name) + b"\n" for name in names if "\n" not in name)
    return git.start("cat-file", "--batch", stdin=asked)


def parse_named(output: bytes, names: Sequence[str]) -> list[NamedObject | None]:
    """Return the objects in the answer for these names; one with a line break in it cannot be asked for. Pure."""
    found: list[NamedObject | None] = []
    position = 0
    for name in names:
        end = output.find(b"\n", position)
        if "\n" in name or end < 0:
            found.append(None)
            continue
        header = output[position:end]
        position = end + 1
        if header == _asked(name) + b" missing":
            found.append(None)
            continue
        oid, kind, size = header.decode().split(" ")
        found.append(NamedObject(oid, kind, output[position : position + int(size)]))
        position += int(size) + 1
    return found


def _asked(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
