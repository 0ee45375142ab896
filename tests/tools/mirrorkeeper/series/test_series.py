from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents, make_fork
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.lockfile.pin import read_pin
from tools.mirrorkeeper.patch.abort import abort_sync
from tools.mirrorkeeper.system.files import DiskFiles

HEAD = "Subject: change the name\nWhy: we are called otherwise\nDrop-When: they rename themselves\n"


def diff(upstream: Upstream, files: dict[str, bytes | None], head: str = HEAD) -> str:
    """A patch file that makes these changes on top of the upstream's checkout."""
    before = {name: (upstream.folder / name).read_bytes() for name in files if (upstream.folder / name).exists()}
    for name, content in files.items():
        if content is None:
            (upstream.folder / name).unlink()
        else:
            (upstream.folder / name).write_bytes(content)
    upstream.git.run("add", "--all")
    text = upstream.git.run("diff", "--cached", "--full-index", "--binary").stdout.decode()
    upstream.git.run("reset", "--quiet", "--hard")
    assert all((upstream.folder / name).read_bytes() == content for name, content in before.items())
    return head + "\n" + text


def patched_fork(folder: Path, upstream: Upstream, *patches: str, url: str = "") -> Fork:
    """A project with these patches, not synchronized yet."""
    names = [f"p{number}.patch" for number in range(len(patches))]
    fork = make_fork(folder, url or str(upstream.folder), f"[patches]\norder = {names}\n".replace("'", '"'))
    (fork.root / "patches").mkdir()
    for name, text in zip(names, patches, strict=True):
        (fork.root / "patches" / name).write_text(text, encoding="utf-8")
    return fork


@pytest.fixture
def fork(tmp_path: Path, upstream: Upstream) -> Fork:
    """A project at v1.0.0 with two patches, the second on top of the first."""
    first = diff(upstream, {"README.md": b"ours\n"})
    upstream.commit({"README.md": b"ours\n"}, message="for the second patch")
    second = diff(upstream, {"README.md": b"ours too\n", "run.sh": b"#!/bin/sh\nexit 1\n"})
    upstream.git.run("reset", "--quiet", "--hard", "v1.0.0")
    made = patched_fork(tmp_path / "fork", upstream, first, second)
    made.sync()
    return made


def test_patches_are_applied_in_order_and_pinned_with_hash_paths_and_tree(fork: Fork) -> None:
    pin = read_pin(fork.project)

    assert (fork.mirror / "README.md").read_bytes() == b"ours too\n"
    assert pin is not None
    assert [(patch.name, patch.paths) for patch in pin.patches] == [
        ("p0.patch", (b"README.md",)),
        ("p1.patch", (b"README.md", b"run.sh")),
    ]
    assert pin.patches[0].sha256 == hashlib.sha256((fork.root / "patches/p0.patch").read_bytes()).hexdigest()
    assert pin.base_tree == pin.root_tree != pin.patches[0].tree_after != pin.final_tree


def test_a_patched_mirror_is_proven_to_be_the_pinned_commit(fork: Fork) -> None:
    assert fork.codes(prove=True) == []


def test_a_change_that_hides_in_a_patched_file_is_found(fork: Fork) -> None:
    (fork.mirror / "README.md").write_bytes(b"ours too!\n")

    assert fork.codes(prove=True) == ["MIR001"]


def test_a_patch_edited_missing_or_not_listed_is_found(fork: Fork) -> None:
    patch = fork.root / "patches/p0.patch"
    text = patch.read_text(encoding="utf-8")
    patch.write_text(text.replace("otherwise", "differently"), encoding="utf-8")
    assert fork.codes() == ["PAT001"]
    patch.unlink()
    assert fork.codes() == ["PAT002"]
    patch.write_text(text, encoding="utf-8")
    (fork.root / "patches/orphan.patch").write_text(text, encoding="utf-8")
    assert fork.codes() == ["PAT002"]


def test_one_patch_that_does_not_apply_leaves_everything_as_it_was(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"rewritten\n"}, tag="v1.1.0")
    before = contents(fork.root)

    with pytest.raises(Paused, match=r"patch 1/2 p0\.patch does not apply") as caught:
        fork.sync("v1.1.0")

    assert caught.value.status == 3
    assert caught.value.details[0] == "why it is there: we are called otherwise"
    aside = (".git/", "mirror/.gateway.edit/")
    assert {name: text for name, text in contents(fork.root).items() if not name.startswith(aside)} == {
        name: text for name, text in before.items() if not name.startswith(aside)
    }
    assert fork.project.git.run("status", "--porcelain", "mirror/.gateway.edit").stdout == b""
    assert fork.codes() == []


def test_a_patch_the_upstream_took_is_recognized(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"ours\n"}, tag="v1.1.0")

    with pytest.raises(Paused, match="already has this change"):
        fork.sync("v1.1.0")


def test_a_patch_that_would_apply_at_another_line_of_a_changed_file_is_not_applied(
    tmp_path: Path, upstream: Upstream
) -> None:
    body = b"".join(b"line %d\n" % number for number in range(30))
    upstream.commit({"long.txt": body}, tag="v1.1.0")
    patch = diff(upstream, {"long.txt": body.replace(b"line 20\n", b"LINE 20\n")})
    upstream.commit({"long.txt": b"new first\n" + body}, tag="v1.2.0")
    fork = patched_fork(tmp_path / "fork", upstream, patch)

    with pytest.raises(Paused, match=r"long\.txt is not the file it was made for"):
        fork.sync("v1.2.0")
    abort_sync(fork.project, DiskFiles(), fork.said.append)
    fork.sync("v1.1.0")


def test_a_patch_may_only_touch_what_it_declares(tmp_path: Path, upstream: Upstream) -> None:
    patch = diff(upstream, {"README.md": b"ours\n"}, HEAD + "Paths: src/*\n")

    with pytest.raises(ToolError, match=r"touches README\.md, which its `Paths:` does not declare"):
        patched_fork(tmp_path / "fork", upstream, patch).sync()


def test_a_patch_may_add_and_remove_files_and_the_proof_takes_it_back(tmp_path: Path, upstream: Upstream) -> None:
    patch = diff(upstream, {"README.md": None, "binary": bytes(range(256))})
    fork = patched_fork(tmp_path / "fork", upstream, patch)
    fork.sync()

    assert sorted(contents(fork.mirror)) == ["binary", "run.sh", "src/app.py"]
    assert fork.codes(prove=True) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("Why:", "Because:"), "does not say why"),
        (lambda text: text.replace("Drop-When:", "Never:"), "does not say when it may go"),
        (lambda text: text[: text.index("diff --git")], "changes nothing"),
        (lambda text: text.replace("\n", "\r\n"), "CRLF"),
        (lambda text: text.replace(text[text.index("index ") + 6 :][:40], "abc1234"), "shortened object ids"),
    ],
)
def test_a_malformed_patch_is_refused_with_the_reason(fork: Fork, change: object, message: str) -> None:
    path = fork.root / "patches/p0.patch"
    assert callable(change)
    path.write_bytes(change(path.read_text(encoding="utf-8")).encode())

    with pytest.raises(ToolError, match=message):
        fork.sync()
