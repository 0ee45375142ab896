"""Which folder is the project, which repository it belongs to, and where in it the declaration lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project


@pytest.mark.parametrize(
    "written", ["{root}/mirror/upstream.toml", "../fork/mirror/upstream.toml", "mirror/../mirror/upstream.toml"]
)
def test_a_declaration_is_the_same_however_its_path_is_written(fork: Fork, written: str) -> None:
    project = Project.at(fork.root, written.format(root=fork.root))

    assert (project.declaration, project.lock) == ("mirror/upstream.toml", "mirror/upstream.lock")
    assert verify(project, VerifyOptions(strict=True)).status == 0


def test_a_declaration_named_through_a_link_to_the_project_is_the_same(fork: Fork, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(fork.root)

    assert Project.at(fork.root, f"{tmp_path}/link/mirror/upstream.toml").declaration == "mirror/upstream.toml"


@pytest.mark.parametrize("written", ["{root}/../upstream.toml", "../upstream.toml", "/upstream.toml"])
def test_a_declaration_outside_of_the_project_is_refused(fork: Fork, written: str) -> None:
    with pytest.raises(ToolError, match="outside of the project"):
        Project.at(fork.root, written.format(root=fork.root))


def test_a_repository_with_its_working_files_elsewhere_is_no_project_without_one(fork: Fork, tmp_path: Path) -> None:
    fork.project.git.run("config", "core.worktree", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    fork.project.git.run("config", "core.worktree", str(tmp_path / "elsewhere"))

    with pytest.raises(ToolError, match=r"not among the working files"):
        verify(Project.at(fork.root), VerifyOptions())


def test_a_damaged_repository_is_no_project_without_one(fork: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    (fork.root / ".git/config").write_text("[core\n", encoding="utf-8")

    assert main(["-C", str(fork.root), "mirror", "verify"]) == 2
    assert "bad config line 1" in capsys.readouterr().err


def test_a_folder_outside_of_any_repository_has_none(tmp_path: Path) -> None:
    assert Project.at(tmp_path).prefix is None
