"""`upstream.lock`: the mirrored release and the patches it was made with. Written by `mirror sync`."""

import hashlib
import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .declaration import Declaration, read_table
from .errors import DeclarationError, ToolError

SCHEMA = 5
HEADER = "# Written by `python -m tools mirror sync`; do not edit.\n"


@dataclass(frozen=True)
class LockedTag:
    """The pinned tag: its name, and the id it points to itself (the tag object's, when it has one)."""

    name: str
    oid: str


@dataclass(frozen=True)
class LockedPatch:
    """A patch as it was applied: file name, and SHA-256 of the file."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Lock:
    """The mirrored release, exactly.

    Attributes:
        schema: version of the format.
        url: the upstream, as declared.
        fetched_from: the place it was fetched from.
        tag: the release.
        commit: id of the upstream commit.
        base_tree: its tree, without the excluded paths.
        final_tree: the base tree with the patches applied; the mirrored folder's tree.
        patches: in the order they were applied.
    """

    schema: int
    url: str
    fetched_from: str
    tag: LockedTag
    commit: str
    base_tree: str
    final_tree: str
    patches: tuple[LockedPatch, ...] = ()

    def render(self) -> str:
        """Return the text of the lock; the same lock always gives the same bytes."""
        tag = f"{{ name = {_text(self.tag.name)}, oid = {_text(self.tag.oid)} }}"
        names = ("url", "fetched_from", "commit", "base_tree", "final_tree")
        lines = [
            f"schema = {self.schema}",
            f"tag = {tag}",
            *(f"{name} = {_text(getattr(self, name))}" for name in names),
        ]
        for patch in self.patches:
            lines += ["", "[[patches]]", f"name = {_text(patch.name)}", f"sha256 = {_text(patch.sha256)}"]
        return HEADER + "\n".join(lines) + "\n"


def read_lock(declaration: Declaration) -> Lock | None:
    """Return the project's lock, or None when there is none. Raises ToolError: it cannot be read."""
    path = declaration.lock_file
    try:
        return parse_lock(path.read_bytes(), str(path.relative_to(declaration.root)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error}") from error


def required_lock(declaration: Declaration) -> Lock:
    """Return the project's lock; a ToolError when there is none."""
    lock = read_lock(declaration)
    if lock is None:
        name = declaration.lock_file.relative_to(declaration.root)
        raise ToolError(f"{name} is not there: nothing is mirrored yet", "python -m tools mirror sync [TAG]")
    return lock


def parse_lock(content: bytes, shown: str) -> Lock:
    """Return the lock a file holds; `shown` names the file in errors.

    Raises ToolError: `mirror sync` did not write it.
    """
    hint = "git restore it, or `python -m tools mirror sync TAG --discard` writes it anew"
    try:
        table: dict[str, Any] = tomllib.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ToolError(f"{shown} cannot be read: {error}", hint) from error
    if table.get("schema") != SCHEMA:
        raise ToolError(f"{shown}: schema {table.get('schema')} is not {SCHEMA}", hint)
    try:
        return read_table(Lock, table, shown)
    except DeclarationError as error:
        raise ToolError(error.message, hint) from error


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old or the new content, whenever this process ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(content)
    os.replace(draft, path)  # noqa: PTH105 - it says what it does


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
