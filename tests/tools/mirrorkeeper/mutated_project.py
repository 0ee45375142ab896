"""A project that mutations are made in: two bundled releases, a patch, and a generated entry."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from tests.tools.mirrorkeeper.entry.sources import ENTRY, NAMING, SOURCE
from tests.tools.mirrorkeeper.mutations import Mutation
from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork
from tests.tools.mirrorkeeper.series.test_series import diff
from tools.mirrorkeeper.entry.generator import write_entry
from tools.mirrorkeeper.project import Project
from tools.mirrorkeeper.system.files import DiskFiles

_FILES = {"src/pkg/__init__.py": b"", "src/pkg/__main__.py": SOURCE.encode(), "src/pkg/naming.py": NAMING}


def make_project(folder: Path) -> Fork:
    """Make a clean project at the newer of two bundled releases, below the folder."""
    upstream = Upstream(folder / "work")
    patches = '[patches]\norder = ["p0.patch"]\n'
    fork = make_fork(folder / "fork", "mirror/upstream", patches + ENTRY)
    bundles = fork.root / "mirror/upstream"
    bundles.mkdir()
    upstream.commit({**_FILES, "README.md": b"upstream\n"}, tag="v1.0.0")
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
    return fork


def copied_project(fork: Fork, root: Path) -> Fork:
    """Copy the project to another folder."""
    shutil.copytree(fork.root, root, symlinks=True)
    return Fork(Project.at(root))


def mutate(fork: Fork, mutation: Mutation) -> None:
    """Run the mutation's command in the project."""
    subprocess.run(
        ["sh", "-ec", mutation.command], cwd=fork.root, env=os.environ | WHO, check=True, capture_output=True
    )
