"""The short way of reading `mirror verify` against the long one."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("options", "further"),
    [([], set()), (["--bytes"], {"series.series", "mirror.source.source"})],
)
def test_a_clean_mirror_is_verified_without_slow_imports(fork: Fork, options: list[str], further: set[str]) -> None:
    command = [sys.executable, "-I", "-X", "importtime", "-c"]
    program = f"import sys; sys.path[:0] = {sys.path!r}; from tools.mirrorkeeper.__main__ import run; run()"
    arguments = ["-C", str(fork.root), "mirror", "verify", *options]

    ended = subprocess.run([*command, program, *arguments], check=True, capture_output=True, text=True)

    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "tools.mirrorkeeper.mirror.verify.verify" in imported
    assert imported & (SLOW | {f"tools.mirrorkeeper.{name}" for name in further}) == set()
