"""Every way of the held-out table is seen by the reading of sources or by the audit of imports, as it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.boundary.ways_in_source import IN_SOURCE, PACKAGE, Way
from tests.tools.mirrorkeeper.boundary.ways_through_files import THROUGH_FILES
from tools.mirrorkeeper.boundary.check import Boundary
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

DECLARED = """
schema = 1
url = "upstream"
track = "v*"
path = "mirror/gateway"

[boundary]
package = "guarded"
source = "src"
importers = ["allowed.py"]
generated = ["allowed.py"]
symbols = "names.toml"
"""
WATCH = """
import contextlib, os, sys
from pathlib import Path
from tools.mirrorkeeper.boundary.audit import ImportAudit
from tools.mirrorkeeper.project import Project

audit = ImportAudit.of(Project.at(Path.cwd()))
audit.install()
for name in sys.argv[1:]:
    with contextlib.suppress(Exception):
        __import__(name)
audit.uninstall()
print(*audit.taken(), sep=chr(10))
"""
FILES = {
    "mirror/upstream.toml": DECLARED.encode(),
    f"{PACKAGE}/__init__.py": b"",
    f"{PACKAGE}/__main__.py": b"print('runs')\n",
    f"{PACKAGE}/inner.py": b"x = 1\nkept = [x, 'a text of its own']\n",
    "names.toml": b"",
    "allowed.py": b"import guarded\n",
}


def build(folder: Path, way: Way) -> Project:
    """A project with the package, and this way to it."""
    ours = {"ours.py": f"# one\n{way.code}\n".encode()} if way.code else {}
    for name, content in {**FILES, **ours, **way.files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith(b"-> "):
            path.symlink_to(folder / content[3:].decode())
        else:
            path.write_bytes(content)
    subprocess.run(["git", "init", "--quiet", "."], cwd=folder, check=True)
    return Project.at(folder)


def is_read(project: Project) -> bool:
    """Return whether reading the sources yields a finding."""
    try:
        return bool(Boundary(project).report().findings)
    except ToolError:
        return True


def is_heard(folder: Path, *modules: str) -> bool:
    """Return whether the audit reports an import of these modules."""
    paths = os.pathsep.join((str(folder), str(ROOT), str(folder / "mirror/gateway/src")))
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", WATCH, *modules]
    ended = subprocess.run(
        command, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    return any(" imports " in line for line in ended.stdout.splitlines())


def nets(folder: Path, way: Way) -> set[str]:
    """The nets that see a way."""
    project = build(folder, way)
    seen = {"static"} if is_read(project) else set()
    before = ("allowed",) if way.loaded else ()
    return seen | ({"audit"} if way.code and is_heard(folder, *before, "ours") else set())


@pytest.mark.parametrize("way", [*IN_SOURCE, *THROUGH_FILES], ids=lambda way: way.name)
def test_every_way_is_seen_by_the_nets_that_have_to_see_it(tmp_path: Path, way: Way) -> None:
    assert nets(tmp_path, way) == way.seen


def test_a_project_without_a_way_is_silent_in_both(tmp_path: Path) -> None:
    code = "import os\nimport json, sys\nimport allowed\nprint('guarded', os.path.join('mirror', 'gateway'), json, sys)"
    assert nets(tmp_path, Way("none", frozenset(), code)) == set()


def test_the_table_is_large_and_names_each_way_once() -> None:
    names = [way.name for way in (*IN_SOURCE, *THROUGH_FILES)]
    assert len(names) == len(set(names))
    assert len(names) >= 60
