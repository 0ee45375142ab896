"""A file that cannot be read or parsed is a finding about it, and every other file is judged."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.mirrorkeeper import modules
from tools.mirrorkeeper.boundary.check import Boundary
from tools.mirrorkeeper.boundary.go_code.check import GoBoundary
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.modules import modules_of
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles
from tools.mirrorkeeper.system.regular_file import open_regular_file

pytestmark = pytest.mark.slow

UNREADABLE = "/proc/self/mem"
"""A regular file whose first byte is an input/output error, also for root."""


def found(project: Project) -> list[tuple[str, str]]:
    return [(one.code, one.shown_path) for one in Boundary(project).report().findings]


def _pipe(path: Path) -> None:
    path.write_text("", encoding="utf-8")
    Git(path.parent).run("add", path.name)
    path.unlink()
    os.mkfifo(path)


def _archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.py", "import gateway\n" * 100)
    content = bytearray(path.read_bytes())
    content[40:50] = b"\xff" * 10
    path.write_bytes(content)


WAYS: dict[str, Callable[[Path], None]] = {
    "input/output error": lambda path: path.symlink_to(UNREADABLE),
    "pipe": _pipe,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["one.py", "one.ipynb", "one.sh", "Makefile", "script"])
def test_a_file_that_cannot_be_read_is_a_finding_and_others_are_judged(project: Project, way: str, name: str) -> None:
    WAYS[way](project.root / name)

    assert sorted(found(project)) == [("IMP001", "other.py"), ("IMP013", name)]


@pytest.mark.parametrize("plant", [lambda path: path.mkdir(), lambda path: path.symlink_to("nowhere")])
def test_nothing_is_found_where_nothing_can_be_imported(project: Project, plant: Callable[[Path], None]) -> None:
    plant(project.root / "one.py")
    (project.root / "loop.py").symlink_to("loop.py")

    assert found(project) == [("IMP001", "other.py")]


def test_a_file_that_is_removed_while_others_are_read_is_none(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = project.root / "one.py"
    gone.write_text("import gateway\n", encoding="utf-8")
    opened = open_regular_file

    def removed(path: Path) -> object:
        gone.unlink(missing_ok=True)
        return opened(path)

    monkeypatch.setattr(modules, "open_regular_file", removed)

    assert found(project) == [("IMP001", "other.py")]


def test_a_file_that_is_refused_by_its_permissions_is_a_finding(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "one.py").write_text("import gateway\n", encoding="utf-8")
    opened = open_regular_file

    def refused(path: Path) -> object:
        if path.name == "one.py":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path)

    monkeypatch.setattr(modules, "open_regular_file", refused)

    (one, _) = Boundary(project).report().findings
    assert (one.code, one.shown_path, one.message) == ("IMP013", "one.py", "cannot be read: Permission denied")


def test_a_folder_below_a_link_that_cannot_be_opened_is_a_finding(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "closed").mkdir()
    (outside / "x.py").write_text("import gateway\n", encoding="utf-8")
    (project.root / "link").symlink_to(outside)
    scan = os.scandir

    def refused(path: str) -> object:
        if str(path).endswith("link/closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refused)

    assert sorted(found(project)) == [("IMP001", "link/x.py"), ("IMP001", "other.py"), ("IMP013", "link/closed")]


def test_a_broken_archive_is_a_finding(project: Project) -> None:
    _archive(project.root / "one.zip")

    assert found(project) == [("IMP013", "one.zip"), ("IMP001", "other.py")]


def test_an_importer_that_is_not_read_makes_no_name_unused(project: Project) -> None:
    listed = project.root / "adapter/names.toml"
    before = listed.read_bytes()
    (project.root / "adapter/__init__.py").write_text("def (\n", encoding="utf-8")

    assert found(project) == [("IMP013", "adapter/__init__.py"), ("IMP001", "other.py")]
    with pytest.raises(ToolError, match="nothing was removed"):
        Boundary(project).prune(DiskFiles())
    assert listed.read_bytes() == before


def test_a_pipe_keeps_the_linter_from_answering_and_is_told_at_once(project: Project) -> None:
    text = project.declaration_path.read_text(encoding="utf-8")
    project.declaration_path.write_text(f'{text}contracts = ".importlinter"\n', encoding="utf-8")
    (project.root / ".importlinter").write_text("[importlinter]\nroot_packages =\n    extension\n", encoding="utf-8")
    _pipe(project.root / "extension/one.py")

    report = Boundary(project).report()

    assert report.unchecked == (
        "boundary: .importlinter was not checked: extension/one.py is a pipe, socket or device, and was not read",
    )


def test_the_boundary_of_go_judges_the_rest(project: Project) -> None:
    text = project.declaration_path.read_text(encoding="utf-8").replace('"gateway"', '"example.com/up"')
    text = text.replace('source = "src"', 'source = "."\nlanguage = "go"').replace('symbols = "adapter/names.toml"', "")
    project.declaration_path.write_text(text, encoding="utf-8")
    (project.root / "mirror/gateway/go.mod").write_text("module example.com/up\n", encoding="utf-8")
    (project.root / "a.go").write_text("package a\n\nimport (\n", encoding="utf-8")
    (project.root / "b.go").write_text('package a\n\nimport "example.com/up"\n', encoding="utf-8")
    (project.root / "c.go").symlink_to(UNREADABLE)
    (project.root / "go.work").symlink_to(UNREADABLE)

    report = GoBoundary(project).report()

    codes = [(one.code, one.shown_path) for one in report.findings if one.shown_path != "mirror/upstream.toml"]
    assert codes == [("IMP013", "a.go"), ("IMP001", "b.go"), ("IMP013", "c.go"), ("IMP013", "go.work")]


def test_the_contract_names_a_file_that_cannot_be_read(project: Project) -> None:
    (project.root / "extension/one.py").symlink_to(UNREADABLE)
    unread: list[Finding] = []

    read = [one.path for one in modules_of(project, ["extension"], unread)]

    assert "extension/page.py" in read
    assert "extension/one.py" not in read
    assert [(one.code, one.shown_path) for one in unread] == [("IMP013", "extension/one.py")]
