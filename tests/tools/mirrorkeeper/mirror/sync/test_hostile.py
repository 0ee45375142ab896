from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, contents, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow


def raw_tree(git: Git, entries: list[tuple[str, bytes, str]]) -> str:
    """Write a tree object as it is, with git's own checks off."""
    body = b"".join(f"{mode} ".encode() + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
    return git.run("hash-object", "--literally", "-t", "tree", "-w", "--stdin", stdin=body).text


def blob(git: Git, content: bytes) -> str:
    return git.run("hash-object", "-t", "blob", "-w", "--stdin", stdin=content).text


def release(git: Git, tree: str, tag: str) -> None:
    commit = git.run("commit-tree", tree, "-m", "hostile", environment=WHO).text
    git.run("tag", tag, commit)


def hostile(git: Git, case: str) -> str:
    """The root tree of one hostile case."""
    text, out = blob(git, b"evil\n"), blob(git, b"../../outside")
    inner = raw_tree(git, [("100644", b"config", text)])
    cases = {
        "dot-git": [("40000", b".git", inner)],
        "dot-git in capitals": [("40000", b".GIT", inner)],
        "dot-git with an invisible sign": [("40000", b".g\xe2\x80\x8cit", inner)],
        "dot-git as Windows shortens it": [("40000", b"git~1", inner)],
        "traversal": [("40000", b"..", inner)],
        "slash in a name": [("100644", b"a/b", text)],
        "path out of the tree": [("100644", b"../evil", text)],
        "backslash in a name": [("100644", b"..\\evil", text)],
        "same name twice": [("100644", b"a", text), ("100644", b"a", text)],
        "case twins": [("100644", b"README", text), ("100644", b"readme", text)],
        "accent twins": [("100644", "e\u0301".encode(), text), ("100644", "\u00e9".encode(), text)],
        "escaping link": [("120000", b"link", out)],
        "absolute link": [("120000", b"link", blob(git, b"/etc/passwd"))],
        "link through a link": [
            ("120000", b"a", blob(git, b"d/..")),
            ("120000", b"b", blob(git, b"a/../outside")),
            ("40000", b"d", inner),
        ],
        "device of Windows": [("100644", b"aux.c", text)],
        "stream of Windows": [("100644", b"a:b", text)],
        "full stop at the end": [("100644", b"a.", text)],
        "submodule": [("160000", b"module", "1" * 40)],
        "odd mode": [("100600", b"a", text)],
        "too big": [("100644", b"big", blob(git, b"x" * 2_000))],
    }
    return raw_tree(git, cases[case])


@pytest.fixture
def small(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project at v1.0.0 that takes files of at most 1,000 bytes."""
    fork = make_fork(tmp_path / "fork", str(upstream.folder), "[limits]\nfile_bytes = 1000\n")
    fork.sync()
    return fork


@pytest.mark.parametrize(
    "case",
    [
        "dot-git",
        "dot-git in capitals",
        "dot-git with an invisible sign",
        "dot-git as Windows shortens it",
        "traversal",
        "slash in a name",
        "path out of the tree",
        "backslash in a name",
        "same name twice",
        "case twins",
        "accent twins",
        "escaping link",
        "absolute link",
        "link through a link",
        "device of Windows",
        "stream of Windows",
        "full stop at the end",
        "submodule",
        "odd mode",
        "too big",
    ],
)
def test_a_hostile_upstream_is_refused_before_a_byte_is_written(
    small: Fork, upstream: Upstream, tmp_path: Path, case: str
) -> None:
    release(upstream.git, hostile(upstream.git, case), "v6.6.6")
    before = contents(tmp_path / "fork/mirror")
    index = small.project.git.run("ls-files", "-s").stdout

    with pytest.raises(ToolError, match=r"refused|cannot be fetched"):
        small.sync("v6.6.6")

    assert contents(tmp_path / "fork/mirror") == before
    assert small.project.git.run("ls-files", "-s").stdout == index
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fork", "upstream"]


def test_a_submodule_that_is_excluded_by_name_is_recorded_and_proven(tmp_path: Path, upstream: Upstream) -> None:
    git = upstream.git
    entries = [("100644", b"a", blob(git, b"a")), ("160000", b"module", "1" * 40)]
    release(git, raw_tree(git, entries), "v2.0.0")
    fork = make_fork(tmp_path / "fork", str(upstream.folder), exclude='["module"]')
    fork.sync("v2.0.0")

    assert fork.codes(prove=True) == []
    assert sorted(contents(fork.mirror)) == ["a"]


def test_links_and_names_somebody_accepted_by_path_are_mirrored_and_reported_once_they_are_gone(
    tmp_path: Path, upstream: Upstream
) -> None:
    git = upstream.git
    out, code = blob(git, b"/usr/share/doc"), blob(git, b"code\n")
    tree = [("100644", b"a\\b", code), ("100644", b"aux.c", code), ("120000", b"manual", out), ("120000", b"more", out)]
    release(git, raw_tree(git, tree), "v2.0.0")
    release(git, raw_tree(git, tree[:1]), "v3.0.0")
    declared = '[accepted]\nlinks = ["manual"]\nnames = ["aux.c", "a?b"]\n'
    fork = make_fork(tmp_path / "fork", str(upstream.folder), declared)
    with pytest.raises(
        ToolError, match=r"v2.0.0 is refused: 'more': the link to '/usr/share/doc' is empty or absolute$"
    ):
        fork.sync("v2.0.0")
    text = fork.project.declaration_path.read_text("utf-8")
    fork.project.declaration_path.write_text(text.replace('"manual"', '"manual", "mor?"'), encoding="utf-8")
    fork.sync("v2.0.0")

    assert sorted(contents(fork.mirror)) == ["a\\b", "aux.c", "manual", "more"]
    assert fork.codes(prove=True) == []
    fork.sync("v3.0.0")
    report = verify(fork.project, VerifyOptions())
    assert [one.message for one in report.findings if one.code == "MIR008"] == [
        "accepts the link 'manual', and v3.0.0 has none",
        "accepts the link 'mor?', and v3.0.0 has none",
        "accepts the name 'aux.c', and v3.0.0 has none",
    ]
