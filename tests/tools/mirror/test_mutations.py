from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.repositories import WHO, Fork, Upstream, make_fork
from tests.tools.trees import Tree, place, trees, write, write_entry
from tools.objects import FILE, LINK, PROGRAM


def mirrored(folder: Path, tree: Tree) -> Fork:
    """A project that mirrors a release with this tree."""
    upstream = Upstream(folder / "upstream")
    write(upstream.folder, tree)
    upstream.git.run("add", "--all", "--force", ".")
    upstream.git.run("commit", "--quiet", "--allow-empty", "--message=one", environment=WHO)
    upstream.git.run("tag", "v1.0.0")
    fork = make_fork(folder / "fork", str(upstream.folder))
    fork.sync()
    return fork


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


@settings(max_examples=12, deadline=None)
@given(trees(min_size=1), st.data())
def test_any_single_mutation_of_any_tree_is_exactly_one_finding_of_its_class(tree: Tree, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fork = mirrored(Path(folder), tree)
        assert fork.codes(prove=True) == []
        path = data.draw(st.sampled_from(sorted(tree)))
        kind = data.draw(st.sampled_from(["content", "mode", "type", "folder", "remove", "add"]))

        expected = mutate(fork, tree, path, kind)

        assert fork.codes() == [expected]
