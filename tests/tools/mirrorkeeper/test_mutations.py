"""Each mutation of the table is found by the gates."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import ENTRY, NAMING, SOURCE
from tests.tools.mirrorkeeper.mutations import MUTATIONS, Mutation
from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork
from tests.tools.mirrorkeeper.series.test_series import diff
from tools.mirrorkeeper.entry.generator import write_entry
from tools.mirrorkeeper.gates import run_gates
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow

FILES = {"src/pkg/__init__.py": b"", "src/pkg/__main__.py": SOURCE.encode(), "src/pkg/naming.py": NAMING}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean project at the newer of two bundled releases, with a patch and a generated entry."""
    folder = tmp_path_factory.mktemp("mutated")
    upstream = Upstream(folder / "work")
    patches = '[patches]\norder = ["p0.patch"]\n'
    fork = make_fork(folder / "fork", "mirror/upstream", patches + ENTRY)
    bundles = fork.root / "mirror/upstream"
    bundles.mkdir()
    upstream.commit({**FILES, "README.md": b"upstream\n"}, tag="v1.0.0")
    upstream.git.run("bundle", "create", "--quiet", str(bundles / "v1.0.0.bundle"), "main", "v1.0.0")
    upstream.commit({"CHANGES.md": b"more\n"}, tag="v1.1.0")
    upstream.git.run("bundle", "create", "--quiet", str(bundles / "v1.1.0.bundle"), "main", "v1.1.0", "^v1.0.0")
    lines = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in sorted(bundles.iterdir())]
    (bundles / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    (fork.root / "patches").mkdir()
    (fork.root / "patches/p0.patch").write_text(diff(upstream, {"README.md": b"ours\n"}), encoding="utf-8")
    fork.sync("v1.1.0")
    write_entry(fork.project, DiskFiles())
    fork.commit()
    assert found(fork) == set()
    return folder


def found(fork: Fork) -> set[str]:
    """The codes that the gates find; `!` when one could not check."""
    report = run_gates(fork.project)
    codes = {one.code for one in report.findings if one.code != "MIR011"}
    return codes | ({"!"} if report.unchecked else set())


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_every_mutation_is_found_by_the_gates(made: Path, tmp_path: Path, mutation: Mutation) -> None:
    root = tmp_path / "fork"
    shutil.copytree(made / "fork", root, symlinks=True)
    subprocess.run(["sh", "-ec", mutation.command], cwd=root, env=os.environ | WHO, check=True, capture_output=True)

    codes, expected = found(Fork(Project.at(root))), set(mutation.codes.split())
    assert codes & expected if expected else not codes


def test_the_table_is_large_and_names_each_mutation_once() -> None:
    names = [one.name for one in MUTATIONS]
    assert len(names) == len(set(names))
    assert len(names) >= 80
