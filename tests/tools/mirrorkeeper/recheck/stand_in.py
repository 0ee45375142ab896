"""A folder to answer about, and a stand-in of the command that accounts for its answer as a test says."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PROGRAM = "mirrorkeeper-verify"
CHECKED = "2026-11-26 21:40:11 UTC"
REPEATED = f"nothing has changed since the check of {CHECKED}\n"
ANSWER = "mirror: clean\n"
ODD_NAME = b"a\nline \xff"
Grounds = Sequence[tuple[str, Path]]
_COMMAND = """#!/bin/sh
echo "ran: $*"
[ -z "$MIRRORKEEPER_RECORD" ] || cat "$TOLD/account" >"$MIRRORKEEPER_RECORD"
. "$TOLD/more"
"""


class Answer(NamedTuple):
    """The end of a call."""

    status: int
    printed: str
    said: str

    @property
    def repeated(self) -> bool:
        """Return whether the answer is that of an earlier check; one that is not is the command's."""
        if self.said == REPEATED:
            assert (self.status, self.printed) == (0, ANSWER)
            return True
        assert self.printed.startswith("ran: ")
        return False


class Tree(NamedTuple):
    """A folder to answer about.

    Attributes:
        root: the folder.
        programs: folder of the program and the stand-in.
        told: folder of what the stand-in does.
        cache: folder of the records.
    """

    root: Path
    programs: Path
    told: Path
    cache: Path

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a call."""
        return {"PATH": os.environ["PATH"], "MIRROR_CACHE": str(self.cache), "TOLD": str(self.told), **more}

    def tell(self, *grounds: tuple[str, Path], more: str = "", account: bytes | None = None) -> None:
        """Let the stand-in account for these grounds, or by these bytes, and then do more."""
        (self.told / "account").write_bytes(account_of(grounds) if account is None else account)
        (self.told / "more").write_text(more, encoding="utf-8")

    def ask(
        self,
        *words: str,
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> Answer:
        """Call the program, by another one if there are words before it."""
        command = [*before, str(self.programs / PROGRAM), *words]
        environment = {**self.environment(), **(variables or {})}
        done = subprocess.run(command, cwd=folder or self.root, env=environment, capture_output=True, check=False)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def answered(self, *grounds: tuple[str, Path]) -> None:
        """Have an answer kept that rests on these grounds, by default on everything in the folder."""
        self.tell(*(grounds or (("tree", self.root),)))
        assert not self.ask().repeated
        assert self.ask().repeated

    @property
    def records(self) -> list[Path]:
        """Everything the program keeps."""
        return sorted((self.cache / "verified").iterdir())


def account_of(grounds: Grounds) -> bytes:
    """Return the account of an answer that rests on these."""
    pairs = [(kind.encode(), os.fsencode(path)) for kind, path in grounds]
    pairs += [(b"checked", CHECKED.encode()), (b"answer", ANSWER.encode())]
    return b"mirrorkeeper record 1\0" + b"".join(kind + b"\0" + text + b"\0" for kind, text in pairs)


def make_programs(folder: Path, program: Path) -> Path:
    """Make a folder with the program and the stand-in."""
    folder.mkdir()
    shutil.copy(program, folder / PROGRAM)  # a second name, made beside a test, would change a time of the program
    (folder / "mirrorkeeper").write_text(_COMMAND, encoding="utf-8")
    (folder / "mirrorkeeper").chmod(0o755)
    return folder


def make_tree(folder: Path, programs: Path) -> Tree:
    """Make a folder with one entry of every kind."""
    tree = Tree(folder / "tree", programs, folder / "told", folder / "cache")
    for each in (tree.told, tree.root / "deep/deeper", tree.root / "empty", tree.root / "twin"):
        each.mkdir(parents=True)
    for name in (b"one", b"two", b"deep/three", b"deep/deeper/four", ODD_NAME):
        path = Path(os.fsdecode(os.fsencode(tree.root) + b"/" + name))
        path.write_bytes(b"content of " + name)
        os.utime(path, (1_000_000_000, 1_000_000_000))
    (tree.root / "link").symlink_to("one")
    (tree.root / "way").symlink_to("deep")
    os.link(tree.root / "deep/three", tree.root / "twin/three")
    os.mkfifo(tree.root / "pipe")
    return tree
