"""A file that Python would not run is a finding about it; what only looks broken is none."""

from __future__ import annotations

import zipfile

import pytest

from tests.tools.mirrorkeeper.boundary.test_unread import found
from tools.mirrorkeeper.git.command import Output, Running
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

BROKEN: dict[str, bytes] = {
    "null.pth": b"a\0b\n",
    "import.pth": b"import a\0b\n",
    "plain.py": b"def f(:\n",
    "older.py": b"print 1\n",
    "stub.pyi": b"def f(:\n",
    "script": b"#!/usr/bin/env python3\ndef f(:\n",
    "deep.py": b"x = " + b"(" * 1000,
    "deep.ipynb": b"[" * 100_000,
    "cell.ipynb": b'{"cells":' + b"[" * 100_000,
    "cut.ipynb": b'{"cells": [{"cell_type": "co',
    "other.ipynb": b'{"cells": [{"cell_type": "code"}, 1]}',
    "list.ipynb": b"[]",
    "number.ipynb": b"1" * 5000,
    "conflict.ipynb": b"<<<<<<< ours\n{}\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_a_finding_and_others_are_judged(project: Project, name: str) -> None:
    (project.root / name).write_bytes(BROKEN[name])

    assert sorted(found(project)) == [("IMP001", "other.py"), ("IMP013", name)]


def test_a_file_of_paths_is_read_beside_a_broken_line(project: Project) -> None:
    (project.root / "one.pth").write_bytes(b"a\0b\nmirror/gateway/src\n")

    assert sorted(found(project)) == [("IMP001", "other.py"), ("IMP008", "one.pth"), ("IMP013", "one.pth")]


VALID: dict[str, bytes] = {
    "escape.py": b"x = '\\d'\n",
    "future.ipynb": b'{"cells": [{"cell_type": "code", "source": "x = 1\\nfrom __future__ import annotations"}]}',
    "waits.ipynb": b'{"cells": [{"cell_type": "code", "source": "await f()"}]}',
    "latin.py": b"# coding: latin-1\nx = '\xe9'\n",
    "mark.py": b"\xef\xbb\xbfx = 1\n",
    "long.py": b"x = " + b" + ".join([b"1"] * 3000) + b"\n",
    "text.sh": b"def f(:\n",
}


@pytest.mark.parametrize("name", VALID)
@pytest.mark.filterwarnings("error")
def test_a_file_that_python_reads_is_none(project: Project, name: str) -> None:
    (project.root / name).write_bytes(VALID[name])

    assert found(project) == [("IMP001", "other.py")]


def test_an_archive_may_hold_modules_for_other_releases_of_python(project: Project) -> None:
    with zipfile.ZipFile(project.root / "one.whl", "w") as archive:
        archive.writestr("x.py", "print 1\n")

    assert found(project) == [("IMP001", "other.py")]


@pytest.mark.parametrize("exempt", ["", "closed", "other"])
def test_a_new_folder_that_cannot_be_opened_is_a_finding(
    project: Project, monkeypatch: pytest.MonkeyPatch, exempt: str
) -> None:
    """Git says so on standard error alone; root, who may open everything, gets its words here."""
    text = project.declaration_path.read_text(encoding="utf-8")
    project.declaration_path.write_text(text.replace("[boundary]", f'[boundary]\nexempt = ["{exempt or "x"}"]'))
    finish = Running.finish

    def refused(running: Running) -> Output:
        said = "warning: could not open directory 'closed/': Permission denied\n"
        return finish(running)._replace(stderr=said)

    monkeypatch.setattr(Running, "finish", refused)

    assert (("IMP013", "closed") in found(project)) == (exempt != "closed")


@pytest.mark.parametrize("content", [b"", b" \n", b'{"cells": []}', b'{"metadata": {"kernelspec": {"language": "R"}}}'])
def test_an_empty_notebook_or_one_of_another_language_is_none(project: Project, content: bytes) -> None:
    (project.root / "one.ipynb").write_bytes(content)

    assert found(project) == [("IMP001", "other.py")]


def test_a_module_with_a_name_longer_than_any_file_stops_nothing(project: Project) -> None:
    (project.root / "text.py").write_text(f"NAME = 'gateway.{'x' * 300}.y'\n", encoding="utf-8")
    (project.root / "adapter/__init__.py").write_text(f"import gateway.{'x' * 300}\n", encoding="utf-8")

    assert ("IMP001", "other.py") in found(project)
