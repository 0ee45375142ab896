"""What a synchronization says at its end, for the person and for the description of the change that commits it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import SOURCE, entry_fork
from tests.tools.mirrorkeeper.mirror.remote import served
from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.cli import main

pytestmark = pytest.mark.slow


def described(fork: Fork, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["-C", str(fork.root), "mirror", "sync", *arguments, "--output-format", "markdown"]) == 0
    return capsys.readouterr().out


def test_a_description_has_commits_patches_with_their_reasons_and_renames(
    tmp_path: Path, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = patched_fork(tmp_path / "fork", upstream, diff(upstream, {"README.md": b"ours\n"}))
    fork.sync()
    (upstream.folder / "src/app.py").rename(upstream.folder / "src/main.py")
    first = upstream.commit({}, message="Rename `app`, fix #12 with @somebody")
    second = upstream.commit({"a": b"a"}, tag="v1.1.0", message="Add a")
    ids = [upstream.git.run("rev-parse", "--short", one).text for one in (second, first)]

    lines = described(fork, capsys, "v1.1.0").splitlines()

    assert lines[0].startswith("### Mirror: brought the mirror to v1.1.0 (was v1.0.0): 4 files, 1 patch, tree ")
    assert lines[2].startswith(f"Commit `{second}` of `{upstream.folder}`, tree `")
    start = lines.index("#### 2 upstream commits")
    assert lines[start + 2 : start + 4] == [
        f"- `{ids[0]}` `Add a`",
        f"- `{ids[1]}` `Rename 'app', fix #12 with @somebody`",
    ]
    assert "| `p0.patch` | as before | we are called otherwise |" in lines
    assert "- `src/app.py` → `src/main.py`" in lines


def test_a_patch_that_was_made_anew_added_or_dropped_is_described_so(
    tmp_path: Path, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = diff(upstream, {"README.md": b"ours\n"}), diff(upstream, {"run.sh": b"#!/bin/sh\nexit\n"})
    fork = patched_fork(tmp_path / "fork", upstream, one, other)
    fork.sync()
    (fork.root / "patches/p0.patch").write_text(one.replace("otherwise", "so"), encoding="utf-8")
    text = fork.project.declaration_path.read_text(encoding="utf-8").replace('"p1.patch"', '"p2.patch"')
    fork.project.declaration_path.write_text(text, encoding="utf-8")
    (fork.root / "patches/p1.patch").rename(fork.root / "patches/p2.patch")

    rows = [line for line in described(fork, capsys).splitlines() if line.startswith("| `")]

    assert rows == [
        "| `p0.patch` | made anew | we are called so |",
        "| `p2.patch` | new | we are called otherwise |",
        "| `p1.patch` | dropped |  |",
    ]


def test_a_release_fetched_alone_is_described_without_the_commits_before_it(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    with served(upstream) as address:
        text = described(fork, capsys, "v1.1.0", "--source", address)

    assert "1 added" in text
    assert "upstream commit" not in text


def test_a_dry_run_is_described_as_what_would_be(
    fork: Fork, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")

    text = described(fork, capsys, "v1.1.0", "--dry-run")

    assert text.startswith("### Mirror: would bring the mirror to v1.1.0 (was v1.0.0)")


def test_where_nothing_is_to_do_nothing_is_described(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    fork.sync()

    assert described(fork, capsys) == ""


def test_a_job_gets_the_description_into_its_summary(
    fork: Fork,
    upstream: Upstream,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))

    assert main(["-C", str(fork.root), "mirror", "sync", "v1.1.0"]) == 0

    assert capsys.readouterr().out == ""
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("### Mirror: brought the mirror to v1.1.0")


def test_what_the_entry_is_made_from_is_named_and_what_its_gate_finds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = entry_fork(tmp_path, SOURCE)
    assert main(["-C", str(fork.root), "entry"]) == 0
    fork.commit()
    path = "src/pkg/__main__.py"
    changed = (tmp_path / "upstream" / path).read_bytes() + b"# more\n"
    Upstream(tmp_path / "upstream").commit({path: changed}, tag="v1.1.0")

    assert main(["-C", str(fork.root), "mirror", "sync", "v1.1.0", "--output-format", "markdown"]) == 0

    shown = capsys.readouterr()
    assert f"- `{path}`: ours/\\_generated.py is generated from it" in shown.out
    assert "- GEN001 `ours/_generated.py`: " in shown.out
    said = shown.err.splitlines()
    assert said[-1] == "next: python -m tools gates"
    assert said[-2].startswith("ours/_generated.py: GEN001 ")
    assert said[-2].endswith("; python -m tools entry")


def test_files_git_will_never_show_as_clean_are_named_once_when_they_come(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a.txt": b"one\r\n", "b.txt": b"two\n"}, message="before the attributes")
    (upstream.folder / ".gitattributes").write_bytes(b"*.txt text\n")
    upstream.git.run("add", ".gitattributes")
    upstream.git.run("commit", "--quiet", "--message=attributes", environment=WHO)
    upstream.git.run("tag", "v1.1.0")

    fork.sync("v1.1.0")
    fork.sync()

    (note,) = (line for line in fork.said if line.startswith("note: git status shows as changed what is not"))
    assert note.endswith(": mirror/gateway/a.txt")


def test_a_boundary_names_the_changed_modules_it_uses(
    tmp_path: Path, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    table = '[boundary]\npackage = "src"\nimporters = ["ours"]\ngenerated = []\nsymbols = "names.toml"\n'
    fork = make_fork(tmp_path / "fork", str(upstream.folder), table)
    (fork.root / "names.toml").write_text('["src.app"]\nname = "it says where we are"\n', encoding="utf-8")
    (fork.root / "ours").mkdir()
    fork.sync()
    upstream.commit({"src/app.py": b"name = 1\n", "src/other.py": b"x = 1\n"}, tag="v1.1.0")

    text = described(fork, capsys, "v1.1.0")

    assert "#### Changed, and relied on\n\n- `src/app.py`: names.toml uses src.app\n\n#### What the gates find" in text
    assert "- IMP006 `names.toml`: " in text
