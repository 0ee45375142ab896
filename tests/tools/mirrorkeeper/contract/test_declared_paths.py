"""Folders of `[contract] paths` that no code is judged in."""

from __future__ import annotations

from pathlib import Path

from tools.mirrorkeeper.contract.declared_paths import judged_paths
from tools.mirrorkeeper.project import Project


def test_a_path_that_is_no_folder_of_the_project_is_a_finding_and_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "extension").mkdir(parents=True)
    (root / "one.py").write_bytes(b"")
    (tmp_path / "x").mkdir()
    (root / "link").symlink_to(tmp_path / "x")

    given = (".", "extension", "extensoin", "one.py", "../x", str(tmp_path / "x"), "link")
    judged, found = judged_paths(Project.at(root), given)

    assert judged == (".", "extension")
    assert {(one.code, one.shown_path, one.severity) for one in found} == {("CON019", "mirror/upstream.toml", "error")}
    assert [one.message.partition("]: ")[2] for one in found] == [
        "'extensoin' is not a folder, so that no code is judged there",
        "'one.py' is not a folder, so that no code is judged there",
        "'../x' leads out of the project",
        f"'{tmp_path / 'x'}' leads out of the project",
        "'link' leads out of the project",
    ]
