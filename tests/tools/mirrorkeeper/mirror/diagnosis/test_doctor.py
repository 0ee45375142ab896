"""What the doctor finds in the surroundings, and that what it advises mends it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import GUARD_LINE, Fork, Upstream, make_fork
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow


def found(fork: Fork) -> list[Finding]:
    return list(doctor(Project.at(fork.root)).findings)


def codes(fork: Fork) -> list[str]:
    return [one.code for one in found(fork)]


def within(fork: Fork) -> Fork:
    """The project moved to a folder two levels below the top of its repository."""
    top = fork.root.parent / "large"
    (top / "part").mkdir(parents=True)
    fork.root.rename(top / "part/fork")
    (top / "part/fork/.git").rename(top / ".git")
    return Fork(Project.at(top / "part/fork"))


def test_attributes_of_the_mirrored_tree_itself_are_not_the_projects(tmp_path: Path, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"* text=auto\n"}, tag="v1.1.0")
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    fork.sync()

    assert codes(fork) == []


@pytest.mark.parametrize("file", [".gitattributes", ".git/info/attributes"])
def test_attributes_of_the_project_are_found_and_the_advice_mends_them(fork: Fork, file: str) -> None:
    path = fork.root / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"* text=auto\n")

    (patches, mirror) = (one for one in found(fork) if one.code == "ENV003")
    assert (patches.path, mirror.path) == (file.encode(), file.encode())
    for one in (patches, mirror):
        pattern = one.fix.split("`")[1]
        path.write_bytes(path.read_bytes() + pattern.encode() + b"\n")
    if file == ".gitattributes":  # the first line of this test took the others away
        path.write_text(path.read_text(encoding="utf-8") + GUARD_LINE, encoding="utf-8")
    assert codes(fork) == []


def test_attributes_above_a_project_in_a_folder_of_a_repository_are_found(fork: Fork) -> None:
    inner = within(fork)
    (inner.root.parent / ".gitattributes").write_bytes(b"*.patch text\n")

    assert codes(inner) == ["ENV003"]


def test_line_endings_in_a_project_in_a_folder_of_a_repository_are_told_apart_from_edits(fork: Fork) -> None:
    fork.unguarded()
    inner = within(fork)
    (inner.root.parent / ".gitattributes").write_bytes(b"* text eol=lf\n")
    (inner.mirror / "README.md").write_bytes(b"upstream\r\n")

    assert ("MIR007", "mirror/gateway/README.md") in inner.found()


def test_settings_that_convert_line_endings_are_noted_and_the_advice_mends_them(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text("[core]\n\tautocrlf = true\n[user]\n\tname = A\n\temail = a@example.test\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))

    assert codes(fork) == []
    fork.unguarded()

    (note, guard) = found(fork)
    assert (note.code, note.message.split(":")[0]) == ("ENV007", "core.autocrlf is true")
    assert guard.code == "ENV010"
    subprocess.run(note.fix.split(" && ")[0].split(), cwd=fork.root, check=True)
    assert codes(fork) == ["ENV010"]


def test_settings_do_not_matter_where_attributes_forbid_to_convert(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text("[core]\n\tautocrlf = true\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    (fork.root / ".gitattributes").write_bytes(b"mirror/gateway/** -text\n")

    assert codes(fork) == ["ENV010"]  # attributes of a person could still convert


def test_an_empty_folder_is_noted_and_the_advice_removes_it(fork: Fork) -> None:
    (fork.mirror / "an empty/one").mkdir(parents=True)

    (note,) = found(fork)
    assert (note.code, note.path) == ("ENV008", b"mirror/gateway/an empty")
    subprocess.run(["sh", "-c", note.fix], cwd=fork.root, check=True)
    assert codes(fork) == []


def test_what_cannot_be_read_of_earlier_commands_is_noted_with_a_way_out(fork: Fork) -> None:
    fork.transaction.mkdir()
    (fork.transaction / "journal.json").write_bytes(b"garbage")
    workspace = fork.root / "mirror/.gateway.edit"
    workspace.mkdir()
    (workspace / "paused.json").write_bytes(b"{")

    assert [(one.code, one.shown_path) for one in found(fork)] == [
        ("ENV004", "mirror/.gateway.edit/paused.json"),
        ("ENV004", "mirror/.gateway.sync"),
    ]
    assert found(fork)[1].fix.endswith("python -m tools mirror sync --discard")
