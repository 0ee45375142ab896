from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.patch.at_work import LINES, work
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow


def chain(upstream: Upstream, *steps: dict[str, bytes | None]) -> list[str]:
    """A patch for each step, each made on top of those before it."""
    made = []
    for step in steps:
        made.append(diff(upstream, step))
        upstream.commit(step, message="for the next patch")
    upstream.git.run("reset", "--quiet", "--hard", "v1.1.0")
    return made


def test_each_patch_is_told_to_stand_alone_or_to_need_the_fewest_before_it(tmp_path: Path, upstream: Upstream) -> None:
    top, both = LINES.replace(b"line 2\n", b"LINE 2\n"), LINES.replace(b"line 2\n", b"LINE 2\n").replace(b"29", b"30")
    steps = chain(
        upstream,
        {"README.md": b"ours\n"},
        {"new.txt": b"1\n", "lib/b.py": b"b = 1\n"},
        {"long.txt": top},
        {"long.txt": both},
        {"new.txt": b"2\n"},
        {"new.txt": b"3\n", "README.md": b"ours too\n"},
    )
    fork = patched_fork(tmp_path / "fork", upstream, *steps)
    fork.sync()
    before = contents(fork.root)

    assert [standing.line for standing in work(fork).standings()] == [
        "p0.patch: applies alone",
        "p1.patch: applies alone",
        "p2.patch: applies alone",
        "p3.patch: applies alone",
        "p4.patch: needs p1.patch",
        "p5.patch: needs p0.patch, p1.patch, p4.patch",
    ]
    assert contents(fork.root) == before


def test_a_patch_that_needs_what_no_common_path_shows_is_told_to_need_it(tmp_path: Path, upstream: Upstream) -> None:
    (gone,) = chain(upstream, {"run.sh": None})
    upstream.commit({"run.sh": None}, message="for the next patch")
    (upstream.folder / "run.sh").mkdir()
    folder = diff(upstream, {"run.sh/a": b"a\n"})
    upstream.git.run("reset", "--quiet", "--hard", "v1.1.0")
    fork = patched_fork(tmp_path / "fork", upstream, gone, folder)
    fork.sync()

    assert [standing.needs for standing in work(fork).standings()] == [(), ("p0.patch",)]


def test_a_patch_the_release_broke_is_told_with_the_reason(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"long.txt": b"all new\n"}, tag="v1.2.0")
    assert main(["-C", str(fork.root), "mirror", "sync", "v1.2.0"]) == 3

    first, second = work(fork).standings()

    assert first.line.startswith("p0.patch does not apply: ")
    assert first.line.endswith(" (after all patches before it)")
    assert second.line == "p1.patch: applies alone"


def test_the_report_is_asked_for_alone(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(fork.root), "patch", "reorder", "--independent"]) == 0
    assert capsys.readouterr().out == "p0.patch: applies alone\np1.patch: applies alone\n"

    assert main(["-C", str(fork.root), "patch", "reorder", "--independent", "p1", "p0"]) == 2
    assert main(["-C", str(fork.root), "patch", "reorder"]) == 2
