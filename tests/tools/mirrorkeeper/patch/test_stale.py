"""Patch files that are not what their effect is written as: found with and without the upstream at hand."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import work
from tests.tools.mirrorkeeper.patch.test_dependence import chain
from tests.tools.mirrorkeeper.repositories import GUARD_LINE, Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import Paused
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.patch.check import check_patches

pytestmark = pytest.mark.slow


def gate(fork: Fork) -> tuple[Finding, ...]:
    """What the gate finds, which asks no upstream."""
    return check_patches(fork.project).findings


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(one.code, one.shown_path) for one in findings]


def stale_fork(tmp_path: Path, upstream: Upstream) -> Fork:
    text = diff(upstream, {"long.txt": (upstream.folder / "long.txt").read_bytes().replace(b"line 20", b"LINE 20")})
    made = patched_fork(tmp_path / "stale", upstream, re.sub(r"(?m)^(@@ .* @@).*$", r"\1 something else", text))
    made.sync("v1.1.0")
    return made


def test_the_gate_finds_a_stale_patch_without_the_upstream(tmp_path: Path, upstream: Upstream) -> None:
    fork = stale_fork(tmp_path, upstream)
    upstream.folder.rename(tmp_path / "gone")

    assert told(gate(fork)) == [("PAT003", "patches/p0.patch")]


def test_the_gate_passes_patches_as_they_are_written(fork: Fork) -> None:
    assert gate(fork) == ()
    assert check_patches(fork.project).checks[0].summary == (
        "2 patches of patches compared with the lock and with what they are written as"
    )


def test_where_no_objects_are_kept_the_gate_compares_with_the_lock_alone(tmp_path: Path, upstream: Upstream) -> None:
    fork = stale_fork(tmp_path, upstream)
    shutil.rmtree(fork.root / ".git")
    plain = Fork(type(fork.project).at(fork.root))

    assert gate(plain) == ()
    assert check_patches(plain.project).checks[0].summary == "1 patch of patches compared with the lock"


def test_patches_that_cancel_each_other_are_taken_out_by_the_commands_that_are_named(
    tmp_path: Path, upstream: Upstream
) -> None:
    steps = chain(upstream, {"README.md": b"ours\n"}, {"README.md": b"upstream\n"})
    fork = patched_fork(tmp_path / "fork", upstream, *steps, diff(upstream, {"run.sh": b"#!/bin/sh\nexit 1\n"}))
    fork.sync()

    (finding,) = gate(fork)
    assert (finding.code, finding.shown_path) == ("PAT006", "mirror/gateway/README.md")
    assert finding.message.startswith("is left as the upstream has it by p0.patch and p1.patch together")
    assert finding.fix == "python -m tools patch drop p1"
    assert work(fork).check().findings == (finding,)
    for name in ("p1", "p0"):
        assert main(["-C", str(fork.root), "patch", "drop", name]) == 0
    fork.sync()
    assert gate(fork) == ()


def test_a_patch_that_does_more_than_cancel_is_to_be_edited(tmp_path: Path, upstream: Upstream) -> None:
    steps = chain(upstream, {"README.md": b"ours\n"}, {"README.md": b"upstream\n", "run.sh": b"#!/bin/sh\nexit 1\n"})
    fork = patched_fork(tmp_path / "fork", upstream, *steps)
    fork.sync()

    assert [one.fix for one in gate(fork)] == ["python -m tools patch edit p1"]


def test_a_lock_whose_tree_the_patches_do_not_make_is_found(fork: Fork) -> None:
    git = fork.project.git
    other = git.run("rev-parse", "HEAD:patches").text
    text = fork.project.lock_path.read_text(encoding="utf-8")
    final = re.search(r'final_tree = "(\w+)"', text)
    assert final is not None
    fork.project.lock_path.write_text(text.replace(final[1], other), encoding="utf-8")

    assert told(gate(fork)) == [("PAT004", "patches/p1.patch")]


@pytest.mark.parametrize(
    ("theirs", "finding", "fix"),
    [
        (b"a = 3\n", ("PAT004", "patches/p1.patch"), "python -m tools patch edit p1"),
        (b"a = 2\n", ("PAT005", "patches/p1.patch"), "python -m tools patch drop p1"),
    ],
)
def test_a_check_while_paused_says_which_patch_needs_a_person(
    fork: Fork, upstream: Upstream, theirs: bytes, finding: tuple[str, str], fix: str
) -> None:
    upstream.commit(
        {"README.md": b"ours\n" if fix.endswith("drop p1") else b"upstream\n", "lib/a.py": theirs}, tag="v1.2.0"
    )
    with pytest.raises(Paused):
        fork.sync("v1.2.0")

    report = work(fork).check()
    assert (told(report.findings), [one.fix for one in report.findings]) == ([finding], [fix])
    assert report.status == 1
    assert main(["-C", str(fork.root), "patch", "refresh", "--check"]) == 1


@pytest.mark.parametrize("pattern", ["p0.patch", "patches/p[0-9].patch", "*"])
@pytest.mark.parametrize("setting", ["ident", "text eol=crlf", "working-tree-encoding=UTF-16LE", "filter=x"])
def test_an_attribute_on_one_patch_is_an_error_of_the_gate(
    tmp_path: Path, upstream: Upstream, pattern: str, setting: str
) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    (fork.root / ".gitattributes").write_text(f"{pattern} {setting}\n{GUARD_LINE}", encoding="utf-8")

    (one,) = check_patches(fork.project).findings
    assert (one.code, one.shown_path) == ("ENV003", "patches/p0.patch")
    assert setting.rsplit(maxsplit=1)[-1] in one.message
