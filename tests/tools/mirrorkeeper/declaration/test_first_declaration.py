from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.declaration.first_declaration import FirstDeclaration, write_first_declaration
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

FIRST = FirstDeclaration('https://git.example.com/a"b.git', "vendor/up", "release-*")


def begun(folder: Path) -> Project:
    Project(folder).git.run("init", "--quiet", ".")
    return Project.at(folder)


def test_the_first_declaration_is_one_that_is_read(tmp_path: Path) -> None:
    project = begun(tmp_path)

    assert write_first_declaration(project, DiskFiles(), FIRST) == ("mirror/upstream.toml", ".gitattributes")
    declaration = read_declaration(project)
    assert (declaration.url, declaration.path, declaration.track) == FIRST[:3]


def test_attributes_stand_after_the_lines_that_are_there_and_once(tmp_path: Path) -> None:
    project = begun(tmp_path)
    (tmp_path / ".gitattributes").write_text("* text=auto\n\n", encoding="utf-8")
    write_first_declaration(project, DiskFiles(), FIRST)
    project.declaration_path.unlink()

    assert write_first_declaration(project, DiskFiles(), FIRST) == ("mirror/upstream.toml",)
    assert (tmp_path / ".gitattributes").read_text(encoding="utf-8").splitlines() == [
        "* text=auto",
        *FIRST.attributes,
    ]


def test_a_declaration_that_is_there_is_kept(fork: Fork) -> None:
    before = fork.project.declaration_path.read_bytes()

    with pytest.raises(ToolError, match="is there already"):
        write_first_declaration(fork.project, DiskFiles(), FIRST)
    assert fork.project.declaration_path.read_bytes() == before


@pytest.mark.parametrize("changed", [{"track": "v1"}, {"path": "../out"}, {"path": ""}, {"url": ""}])
def test_a_value_that_is_not_accepted_writes_nothing(tmp_path: Path, changed: dict[str, str]) -> None:
    project = begun(tmp_path)

    with pytest.raises(ToolError):
        write_first_declaration(project, DiskFiles(), FIRST._replace(**changed))
    assert [path.name for path in tmp_path.iterdir()] == [".git"]


def test_a_folder_without_a_repository_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="is not in a git repository"):
        write_first_declaration(Project.at(tmp_path), DiskFiles(), FIRST)
    assert list(tmp_path.iterdir()) == []


def test_a_second_declaration_has_patches_of_its_own(tmp_path: Path) -> None:
    project = begun(tmp_path)
    write_first_declaration(project, DiskFiles(), FIRST)
    second = project.beside("mirror/two.toml")

    write_first_declaration(second, DiskFiles(), FIRST._replace(path="upstream2"))

    assert read_declaration(project).patch_folder == "patches"
    assert read_declaration(second).patch_folder == "patches-two"
    attributes = (project.root / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert "patches-two/*.patch -text" in attributes


@pytest.mark.parametrize("at", range(1, 9))
def test_one_that_was_killed_can_be_repeated_and_then_guards(tmp_path: Path, at: int) -> None:
    project = begun(tmp_path)
    try:
        write_first_declaration(project, FailingFiles(at), FIRST)
    except PowerLostError:
        if not project.declaration_path.exists():
            write_first_declaration(project, DiskFiles(), FIRST)

    assert (tmp_path / ".gitattributes").read_text(encoding="utf-8").splitlines() == list(FIRST.attributes)
    assert project.declaration_path.read_text(encoding="utf-8") == FIRST.text
