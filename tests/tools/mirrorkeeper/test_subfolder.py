"""A mirror of one upstream folder, without the path of that folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents, make_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.lockfile.pin import read_pin

pytestmark = pytest.mark.slow
LINES = b"".join(b"line %d of the parser\n" % number for number in range(20))
FILES = {
    "README.md": b"upstream\n",
    "src/x/parser.txt": LINES,
    "src/x/deep/tables.txt": b"tables\n",
    "src/x/docs/note.md": b"note\n",
    "src/y/other.txt": b"other\n",
    "src/top.txt": b"top\n",
}


@pytest.fixture
def parts(tmp_path: Path) -> Upstream:
    """An upstream with the mirrored folder among others."""
    upstream = Upstream(tmp_path / "parts")
    upstream.commit(FILES, tag="v1.0.0")
    return upstream


@pytest.fixture
def part(parts: Upstream, tmp_path: Path) -> Fork:
    """A project that mirrors `src/x` of it, with a patch."""
    fork = make_fork(tmp_path / "part", str(parts.folder), exclude='["docs"]\nsubfolder = "src/x"')
    run(fork, "mirror", "sync", "v1.0.0")
    words = ("--why", "Our line", "--drop-when", "upstream has it", "--from-mirror")
    (fork.mirror / "parser.txt").write_bytes(LINES.replace(b"line 9 ", b"our line "))
    run(fork, "patch", "new", "ours", *words)
    run(fork, "mirror", "sync", "--discard")
    fork.commit()
    return fork


def run(fork: Fork, *words: str, status: int = 0) -> None:
    assert main(["-C", str(fork.root), *words]) == status


def test_the_folder_is_mirrored_without_its_own_path(part: Fork) -> None:
    assert set(contents(part.mirror)) == {"parser.txt", "deep/tables.txt"}
    pin = read_pin(part.project)
    assert pin is not None
    assert (pin.subfolder, pin.patches[0].paths) == ("src/x", (b"parser.txt",))
    assert [row.path for row in pin.excluded] == [b"README.md", b"src/top.txt", b"src/x/docs", b"src/y"]


def test_the_commit_is_proven_from_the_folder_and_the_entries_beside_it(part: Fork) -> None:
    run(part, "mirror", "verify", "--prove", "--bytes", "--strict")
    place = part.project.lock_path
    row = next(line for line in place.read_text("utf-8").splitlines() if line.startswith("oid = "))
    place.write_text(place.read_text("utf-8").replace(row, f'oid = "{"1" * 40}"'), encoding="utf-8")
    run(part, "mirror", "verify", "--prove", status=1)


def test_a_patch_follows_a_file_that_is_renamed_inside_the_folder(part: Fork, parts: Upstream) -> None:
    parts.commit({"src/x/parser.txt": None, "src/x/deep/parser.txt": b"first\n" + LINES}, tag="v1.1.0")

    run(part, "mirror", "sync", "v1.1.0", "--refresh")
    assert b"our line" in (part.mirror / "deep/parser.txt").read_bytes()
    part.commit()
    run(part, "mirror", "verify", "--prove", "--bytes", "--strict")


def test_a_conflict_names_the_commits_of_the_file_in_the_folder(
    part: Fork, parts: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    parts.commit({"parser.txt": b"another file\n"}, message="not this one")
    parts.commit({"src/x/parser.txt": LINES.replace(b"line 9 ", b"their line ")}, tag="v1.1.0", message="theirs")

    run(part, "mirror", "outdated", "--forward", status=1)
    assert "PAT009" in capsys.readouterr().out
    run(part, "mirror", "sync", "v1.1.0", "--refresh", status=3)
    shown = capsys.readouterr().err
    assert "theirs" in shown
    assert "not this one" not in shown
    run(part, "patch", "edit", "ours")
    edited = part.root / "mirror/.gateway.edit/ours/parser.txt"
    edited.write_bytes(LINES.replace(b"line 9 ", b"our line "))
    run(part, "patch", "refresh")
    run(part, "mirror", "sync", "--continue")
    part.commit()
    run(part, "mirror", "verify", "--prove", "--bytes", "--strict")


def test_a_release_without_the_folder_is_refused_and_told_ahead(
    part: Fork, parts: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    parts.commit({name: None for name in FILES if name.startswith("src/x/")}, tag="v2.0.0")

    run(part, "mirror", "outdated", "--forward", status=1)
    assert "v2.0.0: v2.0.0 has no folder src/x" in capsys.readouterr().out
    run(part, "mirror", "sync", "v2.0.0", status=2)
    run(part, "mirror", "verify", "--strict")


def test_another_folder_in_the_declaration_is_a_finding_until_the_next_sync(part: Fork) -> None:
    run(part, "patch", "drop", "ours")
    place = part.project.declaration_path
    text = place.read_text("utf-8").replace('"src/x"', '"src/y"').replace('["docs"]', "[]")
    place.write_text(text, encoding="utf-8")

    run(part, "mirror", "verify", status=1)
    run(part, "mirror", "sync")
    assert set(contents(part.mirror)) == {"other.txt"}
    run(part, "mirror", "verify", "--prove")


@pytest.mark.parametrize("written", ["/src", "src/", "src/../src", "src//x"])
def test_a_folder_is_a_plain_path(part: Fork, written: str) -> None:
    place = part.project.declaration_path
    place.write_text(place.read_text("utf-8").replace('"src/x"', f'"{written}"'), encoding="utf-8")

    run(part, "mirror", "verify", status=2)


def test_a_patch_is_edited_for_a_release_whose_folder_has_another_name(part: Fork, parts: Upstream) -> None:
    lines = LINES.replace(b"line 9 ", b"their line ")
    moved = {"src/x/parser.txt": None, "src/x/deep/tables.txt": None, "src/x/docs/note.md": None}
    parts.commit({**moved, "lib/z/parser.txt": lines, "lib/z/docs/note.md": b"note\n"}, tag="v2.0.0")
    path = part.project.declaration_path
    path.write_text(path.read_text("utf-8").replace('"src/x"', '"lib/z"'), encoding="utf-8")

    run(part, "mirror", "sync", "v2.0.0", status=3)
    run(part, "patch", "edit", "ours")

    assert b"their line of the parser" in (part.root / "mirror/.gateway.edit/ours/parser.txt").read_bytes()
