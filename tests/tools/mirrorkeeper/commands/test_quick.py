"""The short way of reading `mirror verify` against the long one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.commands.group import run
from tools.mirrorkeeper.commands.quick import parse_verify

PLAIN = [
    [],
    ["--bytes"],
    ["--prove", "--strict"],
    ["--output-format", "json"],
    ["--rev", "HEAD", "--output-format", "markdown"],
    ["--ignored", "fail", "--strict"],
    ["--bytes", "--bytes", "--output-format", "github"],
]


@pytest.mark.parametrize("options", PLAIN)
def test_both_ways_of_reading_the_arguments_answer_the_same(
    fork: Fork, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (fork.mirror / "README.md").write_bytes(b"mine\n")
    arguments = ["-C", str(fork.root), "mirror", "verify", *options]
    assert parse_verify(arguments) is not None

    quick = main(arguments), capsys.readouterr()
    assert (run(arguments), capsys.readouterr()) == quick


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["mirror"],
        ["mirror", "sync"],
        ["mirror", "verify", "--help"],
        ["mirror", "verify", "--byte"],
        ["mirror", "verify", "--rev"],
        ["mirror", "verify", "--rev", "--bytes"],
        ["mirror", "verify", "--output-format", "xml"],
        ["mirror", "verify", "--output-format=json"],
        ["mirror", "verify", "extra"],
        ["mirror", "verify", "--ignored", "no"],
        ["--help", "mirror", "verify"],
        ["-C"],
    ],
)
def test_whatever_is_not_plain_is_left_to_the_long_way(arguments: list[str]) -> None:
    assert parse_verify(arguments) is None


SLOW = {"click", "tempfile", "shutil", "dataclasses", "inspect", "tree_sitter", "argparse", "json"}
"""Modules whose imports take longer than git does; what a clean mirror needs is none of them."""
HASHING = {"hashlib", "_hashlib", "tools.mirrorkeeper.git.worktree", "tools.mirrorkeeper.mirror.verify.full_check"}
"""Modules that hash files; OpenSSL alone takes 2.5 ms to load."""
FURTHER = {
    f"tools.mirrorkeeper.{name}"
    for name in (
        "commands.group",
        "mirror.source.source",
        "mirror.tree.attributes.values",
        "mirror.workspace.recovery",
        "series.series",
        "system.files",
    )
}
"""Modules of other commands, and of what is found."""


@pytest.fixture
def settled(fork: Fork) -> Fork:
    """A fork whose files are older than git's index, so that git's records can be believed."""
    for path in fork.mirror.rglob("*"):
        os.utime(path, (1, 1), follow_symlinks=False)
    fork.project.git.run("update-index", "-q", "--refresh")
    return fork


@pytest.mark.parametrize(("options", "further"), [([], HASHING), (["--bytes"], set()), (["--prove"], set())])
def test_a_clean_mirror_is_verified_without_slow_imports(settled: Fork, options: list[str], further: set[str]) -> None:
    command = [sys.executable, "-I", "-X", "importtime", "-c"]
    program = f"import sys; sys.path[:0] = {sys.path!r}; from tools.mirrorkeeper.__main__ import run; run()"
    arguments = ["-C", str(settled.root), "mirror", "verify", *options]

    ended = subprocess.run([*command, program, *arguments], check=True, capture_output=True, text=True)

    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "tools.mirrorkeeper.mirror.verify.verify" in imported
    assert imported & (SLOW | FURTHER | further) == set()


def test_git_works_on_the_files_before_the_rest_is_imported(fork: Fork) -> None:
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from tools.mirrorkeeper.git.command import Git\n"
        "start, first = Git.start, []\n"
        "def seen(self, *arguments, **options):\n"
        "    if arguments[0] == 'diff-files':\n"
        "        first.extend(sys.modules)\n"
        "    return start(self, *arguments, **options)\n"
        "Git.start = seen\n"
        "from tools.mirrorkeeper.__main__ import run\n"
        "run()\n"
        "print(*first)"
    )
    command = [sys.executable, "-I", "-c", program, "-C", str(fork.root), "mirror", "verify"]

    ended = subprocess.run(command, check=True, capture_output=True, text=True)

    known = set(ended.stdout.splitlines()[-1].split())
    assert "tools.mirrorkeeper.mirror.verify.quick_check" in known
    later = ("findings", "lockfile.pin", "mirror.tree.attributes.checkout", "mirror.verify.lock_check")
    assert known & {f"tools.mirrorkeeper.{name}" for name in later} == set()
