"""Working files that git writes otherwise than it stores them, and what only looks as if it had."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream
from tests.tools.mirrorkeeper.series.test_series import diff, patched_fork
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.diagnosis.doctor import doctor
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow

README = "mirror/gateway/README.md"
LARGE = b"large\n"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n" % (
    hashlib.sha256(LARGE).hexdigest().encode(),
    len(LARGE),
)


def clone_of(fork: Fork, folder: Path) -> Fork:
    """A clone, which git converts what it checks out for."""
    fork.project.git.run("commit", "--quiet", "--message=one", environment=WHO)
    Git(folder).run("clone", "--quiet", str(fork.root), str(folder / "clone"))
    return Fork(Project.at(folder / "clone"))


CONVERTED = {
    ".gitattributes": b"*.bat text eol=crlf\n*.c ident\n*.u text working-tree-encoding=UTF-16LE\n",
    "x.bat": b"one\ntwo\n",
    "x.c": b"/* $Id$ */\n",
    "x.u": b"text\n",
}


def release_converted(upstream: Upstream) -> None:
    """A release of files that git stores as they are here, and checks out otherwise."""
    upstream.commit({name: content for name, content in CONVERTED.items() if name != "x.u"})
    oid = upstream.git.run("hash-object", "-w", "--no-filters", "--stdin", stdin=CONVERTED["x.u"]).text
    upstream.git.run("update-index", "--add", "--cacheinfo", f"100644,{oid},x.u")
    upstream.git.run("commit", "--quiet", "--message=encoded")
    upstream.git.run("tag", "v1.1.0")


def test_a_fresh_clone_of_a_tree_with_attributes_is_proven_and_made_exact_on_demand(
    fork: Fork, upstream: Upstream, tmp_path: Path
) -> None:
    release_converted(upstream)
    fork.sync("v1.1.0")
    clone = clone_of(fork, tmp_path)
    assert [name for name, content in CONVERTED.items() if (clone.mirror / name).read_bytes() == content] == [
        ".gitattributes"
    ]

    report = verify(clone.project, VerifyOptions(prove=True))
    assert [(one.code, one.shown_path) for one in report.findings] == [
        ("MIR007", f"mirror/gateway/x.{kind}") for kind in ("bat", "c", "u")
    ]
    assert (report.status, "consistent with the commit object" in report.checks[0].summary) == (0, True)
    clone.sync(discard=True)
    assert clone.codes(prove=True) == []
    assert {name: (clone.mirror / name).read_bytes() for name in CONVERTED} == CONVERTED


def test_the_upstreams_own_attributes_are_named_with_the_remedy_that_lasts(
    fork: Fork, upstream: Upstream, tmp_path: Path
) -> None:
    upstream.commit({"win/.gitattributes": b"*.txt text eol=crlf\n", "win/a.txt": b"a\nb\n"}, tag="v1.1.0")
    fork.sync("v1.1.0")
    clone = clone_of(fork, tmp_path)

    modes = [VerifyOptions(), VerifyOptions(hashed=True), VerifyOptions(prove=True)]
    found = [[(one.code, one.message, one.fix) for one in verify(clone.project, mode).findings] for mode in modes]
    assert found[0] == found[1] == found[2]
    assert [code for code, _, _ in found[0]] == ["MIR007"]
    assert "by the upstream's own win/.gitattributes" in found[0][0][1]
    assert "name win/.gitattributes in `exclude`, then python -m tools mirror sync" in found[0][0][2]
    assert [verify(clone.project, mode._replace(strict=True)).status for mode in modes] == [1, 1, 1]

    place = fork.project.declaration_path
    place.write_text(place.read_text("utf-8").replace("[]", '["win/.gitattributes"]'), encoding="utf-8")
    fork.sync()
    fork.project.git.run("add", "mirror")
    (tmp_path / "again").mkdir()
    again = clone_of(fork, tmp_path / "again")
    assert [verify(again.project, mode._replace(strict=True)).status for mode in modes] == [0, 0, 0]
    assert (again.mirror / "win/a.txt").read_bytes() == b"a\nb\n"


def test_a_fresh_clone_is_proven_where_a_patch_touches_a_converted_file(tmp_path: Path, upstream: Upstream) -> None:
    patch = diff(upstream, {"README.md": b"ours\n"})
    upstream.commit({".gitattributes": b"*.md text eol=crlf\n"}, tag="v1.1.0")
    fork = patched_fork(tmp_path / "fork", upstream, patch)
    fork.sync("v1.1.0")
    fork.project.git.run("add", "patches", "mirror/upstream.toml")
    clone = clone_of(fork, tmp_path)
    assert (clone.mirror / "README.md").read_bytes() == b"ours\r\n"

    assert clone.codes(prove=True) == ["MIR007"]
    (clone.mirror / "README.md").write_bytes(b"mine\r\n")
    assert clone.codes(prove=True) == ["MIR001"]


@pytest.mark.parametrize("content", [b"/* $Id: mine $ */\n", b"/* $Id$ */ \r\n"])
def test_an_edit_within_what_git_expands_is_drift(fork: Fork, upstream: Upstream, content: bytes) -> None:
    release_converted(upstream)
    fork.sync("v1.1.0")
    (fork.mirror / "x.c").write_bytes(content)

    assert fork.found() == [("MIR001", "mirror/gateway/x.c")]


def test_a_converted_file_whose_mode_changed_as_well_is_drift(fork: Fork, upstream: Upstream) -> None:
    release_converted(upstream)
    fork.sync("v1.1.0")
    (fork.mirror / "x.bat").write_bytes(b"one\r\ntwo\r\n")
    (fork.mirror / "x.bat").chmod(0o755)

    assert fork.found() == [("MIR001", "mirror/gateway/x.bat")]


def test_line_endings_changed_by_the_users_own_setting_are_notes_and_the_proof_stands(
    fork: Fork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork.unguarded()
    (tmp_path / ".gitconfig").write_text("[core]\n\tautocrlf = true\n\tsafecrlf = true\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    (fork.mirror / "README.md").write_bytes(b"upstream\r\n")

    assert fork.codes(prove=True) == ["ENV010", "MIR007"]
    assert "ENV007" in [one.code for one in doctor(fork.project).findings]
    (fork.mirror / "README.md").write_bytes(b"mine\r\n")
    assert fork.found() == [("ENV010", README), ("MIR001", README)]


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("place", [".gitattributes", ".git/info/attributes"])
def test_a_filter_that_hides_an_edit_from_git_hides_it_from_nobody_else(fork: Fork, place: str, key: str) -> None:
    (fork.root / place).parent.mkdir(exist_ok=True)
    (fork.root / place).write_bytes(b"* filter=e=x.vil\n")
    with (fork.root / ".git/config").open("a", encoding="utf-8") as file:
        file.write(f'[filter "e=x.vil"]\n\t{key} = echo upstream\n\trequired = true\n')
    (fork.mirror / "README.md").write_bytes(b"evil\n")

    assert fork.found() == [("ENV009", README), ("MIR001", README)]
    assert verify(fork.project, VerifyOptions()).status == 1


def test_the_large_file_itself_in_the_place_of_its_pointer_is_a_note_of_its_own(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({".gitattributes": b"*.bin filter=lfs\n", "a.bin": POINTER}, tag="v1.1.0")
    fork.sync("v1.1.0")
    assert (fork.mirror / "a.bin").read_bytes() == POINTER

    (fork.mirror / "a.bin").write_bytes(LARGE)
    assert fork.found() == [("MIR016", "mirror/gateway/a.bin")]
    assert fork.codes(prove=True) == ["MIR016"]
    (fork.mirror / "a.bin").write_bytes(LARGE.upper())
    assert fork.found() == [("MIR001", "mirror/gateway/a.bin")]


def test_a_filter_for_large_files_neither_runs_nor_hides_anything(fork: Fork, upstream: Upstream) -> None:
    fork.project.git.run("config", "filter.lfs.smudge", "echo large")
    fork.project.git.run("config", "filter.lfs.clean", f"printf '{POINTER.decode()}'")
    upstream.commit({".gitattributes": b"*.bin filter=lfs\n", "a.bin": POINTER}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    assert (fork.mirror / "a.bin").read_bytes() == POINTER

    (fork.mirror / "a.bin").write_bytes(b"other\n")
    assert fork.found() == [("MIR001", "mirror/gateway/a.bin")]
    assert "ENV002" in [one.code for one in doctor(fork.project).findings]
