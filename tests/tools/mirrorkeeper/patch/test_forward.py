"""`mirror outdated --forward`: the patches tried against releases that are not mirrored yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.patch.forward import look_forward

LINES = b"".join(b"line %d\n" % number for number in range(30))


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    upstream.commit({"long.txt": LINES}, tag="v1.1.9")
    patch = diff(upstream, {"long.txt": LINES.replace(b"line 20\n", b"LINE 20\n")})
    made = patched_fork(tmp_path / "fork", upstream, patch)
    made.sync("v1.1.9")
    made.commit()
    return made


def test_releases_ahead_are_told_apart_and_nothing_is_written(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"other.txt": b"x\n"}, tag="v1.2.0")
    upstream.commit({"long.txt": b"new\n" + LINES}, tag="v1.3.0")
    upstream.commit({"long.txt": LINES.replace(b"line 20\n", b"theirs\n")}, tag="v1.10.0")
    upstream.commit({"long.txt": LINES}, tag="v1.11.0-rc.1")
    before = contents(fork.root / "patches"), contents(fork.mirror)

    report = look_forward(fork.project)

    assert [(check.name, check.summary) for check in report.checks] == [
        ("v1.2.0", "1 patch applies, 0 made anew, 0 by hand"),
        ("v1.3.0", "0 patches apply, 1 made anew, 0 by hand"),
        ("v1.10.0", "0 patches apply, 0 made anew, 1 by hand"),
    ]
    assert [(one.code, one.shown_path, one.message) for one in report.findings] == [
        ("PAT009", "patches/p0.patch", "needs a person for v1.10.0: does not apply")
    ]
    assert (contents(fork.root / "patches"), contents(fork.mirror)) == before


def test_a_patch_that_stops_at_several_releases_is_one_finding(fork: Fork, upstream: Upstream) -> None:
    for number in (2, 3, 4):
        content = LINES.replace(b"line 20\n", b"theirs %d\n" % number)
        upstream.commit({"long.txt": content}, tag=f"v1.{number}.0")

    assert [(one.code, one.message) for one in look_forward(fork.project).findings] == [
        ("PAT009", "needs a person for v1.2.0 and 2 later releases: does not apply")
    ]


def test_the_limit_counts_from_the_next_release(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"other.txt": b"x\n"}, tag="v1.2.0")
    upstream.commit({"long.txt": b"theirs\n"}, tag="v1.3.0")

    words = ("-C", str(fork.root), "mirror", "outdated", "--forward")
    assert main([*words, "--limit=1"]) == 0
    assert main(words) == 1


def test_the_newest_release_has_nothing_ahead(fork: Fork) -> None:
    report = look_forward(fork.project)

    assert (report.status, report.checks[0].summary) == (0, "v1.1.9 is the newest release")
