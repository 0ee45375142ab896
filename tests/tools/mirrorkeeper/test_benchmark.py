"""The benchmark of the mirror measures what users have."""

from __future__ import annotations

from pathlib import Path

from tests.bench.mirror import mirrored
from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.declaration.first_declaration import FirstDeclaration, write_first_declaration
from tools.mirrorkeeper.system.files import DiskFiles


def test_the_benchmark_measures_what_init_writes(tmp_path: Path) -> None:
    Upstream(tmp_path / "upstream").commit({"a.txt": b"one\n"}, tag="v1.0.0")
    fork = mirrored(tmp_path)
    written = (fork.root / ".gitattributes").read_text(encoding="utf-8").splitlines()
    fork.project.declaration_path.unlink()
    (fork.root / ".gitattributes").unlink()

    write_first_declaration(fork.project, DiskFiles(), FirstDeclaration("../upstream", "mirror/gateway"))

    assert (fork.root / ".gitattributes").read_text(encoding="utf-8").splitlines() == written
    assert len(written) == 3
