"""Places, names and folders that would make git run something or would put the mirror where it acts on its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, declaration_text, make_fork
from tools.mirrorkeeper.declaration.declaration import read_declaration
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.verify.releases.outdated import outdated
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


def test_an_empty_place_is_not_the_declared_one(fork: Fork) -> None:
    with pytest.raises(ToolError, match="--source names no place"):
        Synchronization(fork.project, DiskFiles(), fork.said.append).run(SyncOptions("v1.1.0", ""))
    with pytest.raises(ToolError, match="--source names no place"):
        outdated(fork.project, "")


def test_a_place_that_git_would_take_for_an_option_is_refused_and_nothing_runs(
    tmp_path: Path, fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    place = f"--upload-pack=touch {ran};:"
    declared = make_fork(tmp_path / "declared", place)
    monkeypatch.setenv("MIRROR_CACHE", "")

    with pytest.raises(ToolError, match="begins with a dash"):
        declared.sync("v1.0.0")
    with pytest.raises(ToolError, match="begins with a dash"):
        Synchronization(fork.project, DiskFiles(), fork.said.append).run(SyncOptions("v1.1.0", place))
    with pytest.raises(ToolError, match="begins with a dash"):
        outdated(fork.project, place)
    assert not ran.exists()


@pytest.mark.parametrize("wanted", ["v1.1.0~1", "v1.1.0^{}", "v1.1.0^{commit}", "v1.1.0@{0}"])
def test_what_leads_from_a_tag_to_another_commit_is_no_tag(fork: Fork, upstream: Upstream, wanted: str) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")

    with pytest.raises(ToolError, match="has no tag"):
        fork.sync(wanted)
    assert fork.codes(prove=True) == []


def declaring(folder: Path, text: str) -> None:
    (folder / "mirror").mkdir()
    (folder / "mirror/upstream.toml").write_text(text, encoding="utf-8")
    read_declaration(Project.at(folder))


@pytest.mark.parametrize("name", [".git/hooks", "a/.GIT", "git~1/hooks", ".g\u200cit/x", "a/.git. /b"])
def test_nothing_is_mirrored_to_where_git_keeps_its_own_files(tmp_path: Path, name: str) -> None:
    text = declaration_text("u")
    with pytest.raises(ToolError, match="belongs to git"):
        declaring(tmp_path, text.replace('path = "mirror/gateway"', f'path = "{name}"'))


def test_no_patch_folder_lies_where_git_keeps_its_own_files(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="belongs to git"):
        declaring(tmp_path, declaration_text("u", '[patches]\nfolder = ".git/patches"\n'))


def test_nothing_is_generated_where_git_keeps_its_own_files(tmp_path: Path) -> None:
    entry = '[entry]\nsource = "a"\ntarget = ".git/hooks/post-commit"\npackage = "p"\n'
    anchor = '[[entry.anchors]]\nname = "n"\nstatement = "s"\n'
    with pytest.raises(ToolError, match="belongs to git"):
        declaring(tmp_path, declaration_text("u", entry + anchor))


def test_a_folder_that_is_only_named_like_git_is_fine(tmp_path: Path) -> None:
    declaring(tmp_path, declaration_text("u").replace('path = "mirror/gateway"', 'path = "vendor/git"'))
