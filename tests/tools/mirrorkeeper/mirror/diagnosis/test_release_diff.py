"""`mirror diff`: what the patches change, and what changes between releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.mirror.diagnosis.release_diff import compare_releases

pytestmark = pytest.mark.slow


@pytest.fixture
def patched(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project at v1.0.0 with one patch, whose upstream has a v1.1.0 and a v1.2.0."""
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    upstream.commit({"a.txt": b"a\n", "docs/b.md": b"b\n"}, tag="v1.1.0")
    upstream.commit({"a.txt": b"other\n", "run.sh": None}, tag="v1.2.0")
    return fork


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (None, "M\tREADME.md\n"),
        ("v1.1.0", "A\ta.txt\nA\tdocs/b.md\n"),
        ("v1.1.0..v1.2.0", "M\ta.txt\nD\trun.sh\n"),
        ("v1.2.0..v1.1.0", "M\ta.txt\nA\trun.sh\n"),
        ("v1.2.0..", "D\ta.txt\nD\tdocs/b.md\nA\trun.sh\n"),
        ("..v1.1.0", "A\ta.txt\nA\tdocs/b.md\n"),
        ("v1.0.0", ""),
    ],
)
def test_the_names_that_differ_are_shown(patched: Fork, wanted: str | None, shown: str) -> None:
    assert compare_releases(patched.project, wanted, "name-status") == shown


def test_a_patch_is_shown_as_the_difference_it_makes(patched: Fork) -> None:
    text = compare_releases(patched.project, None, "patch")

    assert text.startswith("diff --git a/README.md b/README.md\n")
    assert "-upstream\n+ours\n" in text


def test_what_is_not_mirrored_is_not_compared(patched: Fork) -> None:
    path = patched.project.declaration_path
    path.write_text(path.read_text(encoding="utf-8").replace("exclude = []", 'exclude = ["docs"]'), encoding="utf-8")

    assert compare_releases(patched.project, "v1.1.0", "name-status") == "A\ta.txt\n"


def test_the_command_shows_files_and_how_much_of_each(patched: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(patched.root), "mirror", "diff", "v1.1.0"]) == 0
    assert "2 files changed, 2 insertions(+)" in capsys.readouterr().out

    assert main(["-C", str(patched.root), "mirror", "diff", "v1.0.0"]) == 0
    assert capsys.readouterr() == ("", "no difference\n")


def test_a_release_that_is_not_there_cannot_be_compared(patched: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(patched.root), "mirror", "diff", "v1.0.0..v9"]) == 2
    assert "has no tag 'v9'" in capsys.readouterr().err
