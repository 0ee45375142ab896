"""The generated entry keeps its line ends in every clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import SOURCE, entry_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.git.command import Git

pytestmark = pytest.mark.slow


def test_a_clone_with_other_line_ends_has_the_entry_as_it_was_generated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = entry_fork(tmp_path / "project", SOURCE)
    assert main(["-C", str(fork.root), "entry"]) == 0
    assert "written: .gitattributes: ours/_generated.py -text" in capsys.readouterr().err
    before = (fork.root / ".gitattributes").read_bytes()
    assert main(["-C", str(fork.root), "entry"]) == 0
    assert (fork.root / ".gitattributes").read_bytes() == before
    fork.commit()

    Git(tmp_path).run("clone", "--quiet", "--config=core.autocrlf=true", str(fork.root), str(tmp_path / "clone"))
    assert main(["-C", str(tmp_path / "clone"), "entry", "--check"]) == 0


@pytest.mark.parametrize("line", ["* text=auto eol=lf", "*.py -text", "*.py binary"])
def test_attributes_that_keep_them_already_are_enough(tmp_path: Path, line: str) -> None:
    fork = entry_fork(tmp_path / "project", SOURCE)
    place = fork.root / ".gitattributes"
    text = place.read_text("utf-8") + line + "\n"
    place.write_text(text, encoding="utf-8")

    assert main(["-C", str(fork.root), "entry"]) == 0
    assert place.read_text("utf-8") == text
