from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, contents, make_fork
from tests.tools.mirrorkeeper.trees import Tree, place, trees, write, write_entry
from tools.mirrorkeeper.git.objects import FILE, LINK, PROGRAM
from tools.mirrorkeeper.git.worktree import read_rows
from tools.mirrorkeeper.patch.work import PatchWork
from tools.mirrorkeeper.series.export import export
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


def mirrored(folder: Path, tree: Tree, *patched: Tree) -> Fork:
    """A project that mirrors a release with this tree, and patches that lead from it to the others in turn."""
    upstream = Upstream(folder / "upstream")
    write(upstream.folder, tree)
    upstream.git.run("add", "--all", "--force", ".")
    upstream.git.run("commit", "--quiet", "--allow-empty", "--message=one", environment=WHO)
    upstream.git.run("tag", "v1.0.0")
    texts = [text for after in patched if (text := turn_into(upstream, after))]
    names = ", ".join(f'"p{number}.patch"' for number in range(len(texts)))
    fork = make_fork(folder / "fork", str(upstream.folder), f"[patches]\norder = [{names}]\n")
    (fork.root / "patches").mkdir()
    for number, text in enumerate(texts):
        (fork.root / f"patches/p{number}.patch").write_bytes(b"Why: chance\nForwarded: no\n\n" + text)
    fork.sync("v1.0.0")
    fork.project.git.run("commit", "--quiet", "--message=mirrored", environment=WHO)
    return fork


def turn_into(upstream: Upstream, tree: Tree, tag: str = "") -> bytes:
    """Make the upstream's files this tree, and return the difference to what they were."""
    known = upstream.git.run("rev-parse", "--verify", "--quiet", "HEAD^{tree}", check=False)
    before = known.text or upstream.git.run("write-tree").text
    for path in upstream.folder.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    write(upstream.folder, tree)
    upstream.git.run("add", "--all", "--force", ".")
    upstream.git.run("commit", "--quiet", "--allow-empty", "--message=next", environment=WHO)
    if tag:
        upstream.git.run("tag", tag)
    return export(upstream.git, before, upstream.git.run("rev-parse", "HEAD^{tree}").text)


def mutate(fork: Fork, tree: Tree, path: bytes, kind: str) -> str:
    """Do one thing to one path of the mirror; return the code that has to be found."""
    target = place(fork.mirror, path)
    mode, content = tree[path]
    if kind == "add":
        (target.parent / "added-by-nobody").write_bytes(b"")
        return "MIR006"
    if kind == "mode" and mode != LINK:
        target.chmod(0o644 if mode == PROGRAM else 0o755)
        return "MIR004"
    target.unlink()
    if kind == "content":
        changed = content + (b"x" if mode == LINK else b"\0")
        write_entry(fork.mirror, path, (mode, changed))
        return "MIR001"
    if kind == "type":
        write_entry(fork.mirror, path, (FILE, content) if mode == LINK else (LINK, b"anywhere"))
        return "MIR005"
    if kind == "folder":
        target.mkdir()
        (target / "inside").write_bytes(content)
        (target / "too").write_bytes(b"")
        return "MIR005"
    return "MIR003"


KINDS = st.sampled_from(["content", "mode", "type", "folder", "remove", "add"])
LAYERS = st.sampled_from(["files", "index", "index alone", "commit"])


def record(fork: Fork, layer: str, expected: str) -> str:
    """Bring a mutation of the files into git as far as that layer; return the code that has to be found then."""
    if layer == "files":
        return expected
    fork.project.git.run("add", "--all", "--force", "mirror/gateway")
    if layer == "commit":
        fork.project.git.run("commit", "--quiet", "--message=mutated", environment=WHO)
    if layer == "index alone":
        shutil.rmtree(fork.mirror)
        fork.project.git.run("read-tree", "HEAD", environment={"GIT_INDEX_FILE": str(fork.root / "other")})
        command = ("checkout-index", "--all", "--force", "--quiet")
        fork.project.git.run(*command, environment={"GIT_INDEX_FILE": str(fork.root / "other")})
        (fork.root / "other").unlink()
    return "MIR002" if expected == "MIR006" else expected


@settings(max_examples=16, deadline=None)
@given(trees(min_size=1), st.data())
def test_any_single_mutation_of_any_tree_is_exactly_one_finding_of_its_class(tree: Tree, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fork = mirrored(Path(folder), tree)
        assert fork.codes(prove=True) == []
        path = data.draw(st.sampled_from(sorted(tree)))
        expected = mutate(fork, tree, path, data.draw(KINDS))
        expected = record(fork, data.draw(LAYERS), expected)

        assert fork.codes() == [expected]


@settings(max_examples=8, deadline=None)
@given(trees(min_size=1), trees(min_size=1), trees(min_size=1), st.data())
def test_any_single_mutation_of_a_patched_tree_is_exactly_one_finding_and_patches_survive_their_export(
    tree: Tree, between: Tree, last: Tree, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fork = mirrored(Path(folder), tree, between, last)
        assert fork.codes(prove=True) == []
        before = contents(fork.root / "patches")
        assert PatchWork(fork.project, DiskFiles(), fork.said.append).refresh() == ()
        assert contents(fork.root / "patches") == before

        path = data.draw(st.sampled_from(sorted(last)))
        expected = mutate(fork, last, path, data.draw(KINDS))
        expected = record(fork, data.draw(LAYERS), expected)

        assert fork.codes() == [expected]


@settings(max_examples=10, deadline=None)
@given(trees(min_size=2), trees(min_size=1), st.data())
def test_whatever_is_excluded_the_rest_is_mirrored_and_proven_and_follows_the_next_release(
    tree: Tree, following: Tree, data: st.DataObject
) -> None:
    tops = sorted({path.split(b"/")[0] for path in tree})
    out = [name.decode() for name in data.draw(st.lists(st.sampled_from(tops), unique=True)) if name != b"\xff"]
    with tempfile.TemporaryDirectory() as folder:
        upstream = Upstream(Path(folder) / "upstream")
        turn_into(upstream, tree, tag="v1.0.0")
        turn_into(upstream, following, tag="v2.0.0")
        fork = make_fork(Path(folder) / "fork", str(upstream.folder), exclude=json.dumps(out))
        for tag, released in (("v1.0.0", tree), ("v2.0.0", following)):
            fork.sync(tag)
            kept = {path for path in released if path.split(b"/")[0].decode(errors="replace") not in out}
            assert {row.path for row in read_rows(fork.mirror)} == kept
            assert set(fork.codes(prove=True)) <= {"MIR008"}
