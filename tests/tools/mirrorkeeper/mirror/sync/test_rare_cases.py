"""File systems that lack something, patches that say one thing and do another, clones that lack objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, contents
from tests.tools.mirrorkeeper.series.test_series import HEAD, diff, patched_fork
from tools.mirrorkeeper.errors import Paused, ToolError
from tools.mirrorkeeper.git.command import Git
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


def test_where_files_cannot_be_executable_bytes_are_compared_and_modes_of_the_index(fork: Fork) -> None:
    fork.project.git.run("config", "core.fileMode", "false")
    (fork.mirror / "run.sh").chmod(0o644)
    assert fork.codes(prove=True) == ["MIR015"]

    fork.project.git.run("update-index", "--chmod=-x", "mirror/gateway/run.sh")
    assert fork.codes() == ["MIR015", "MIR004"]
    fork.project.git.run("update-index", "--chmod=+x", "mirror/gateway/run.sh")
    (fork.mirror / "run.sh").write_bytes(b"mine\n")
    assert fork.codes() == ["MIR015", "MIR001"]


def test_where_there_are_no_links_a_file_with_the_links_text_stands_for_it(fork: Fork, upstream: Upstream) -> None:
    (upstream.folder / "link").symlink_to("README.md")
    upstream.commit({}, tag="v1.1.0")
    fork.sync("v1.1.0")
    fork.commit()
    (fork.mirror / "link").unlink()
    (fork.mirror / "link").write_bytes(b"README.md")
    assert fork.found() == [("MIR005", "mirror/gateway/link")]
    fork.project.git.run("config", "core.symlinks", "false")
    assert fork.codes(prove=True) == ["MIR015"]

    (fork.mirror / "link").write_bytes(b"elsewhere")
    assert fork.codes() == ["MIR015", "MIR005"]


def test_a_patch_may_not_touch_what_is_not_mirrored(tmp_path: Path, upstream: Upstream) -> None:
    patch = diff(upstream, {"docs.md": b"ours\n"})
    upstream.commit({"docs.md": b"theirs\n"}, tag="v1.1.0")
    fork = patched_fork(tmp_path / "fork", upstream, patch)
    path = fork.project.declaration_path
    path.write_text(path.read_text(encoding="utf-8").replace("exclude = []", 'exclude = ["docs.md"]'), encoding="utf-8")

    with pytest.raises(ToolError, match=r"p0\.patch touches docs\.md, which is not mirrored"):
        fork.sync("v1.1.0")
    assert not fork.mirror.exists()


def test_a_patch_that_makes_another_file_than_it_says_is_refused(tmp_path: Path, upstream: Upstream) -> None:
    patch = diff(upstream, {"README.md": b"ours\n"}).replace("+ours", "+evil")

    with pytest.raises(Paused, match=r"README\.md does not become blob \w{12} as it says, but \w{12}"):
        patched_fork(tmp_path / "fork", upstream, patch).sync()


def test_a_patch_without_effect_stops_the_synchronization_and_says_what_to_do(
    tmp_path: Path, upstream: Upstream
) -> None:
    oid = upstream.git.run("rev-parse", "HEAD:README.md").text
    text = (
        f"{HEAD}\ndiff --git a/README.md b/README.md\nindex {oid}..{oid} 100644\n"
        "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-upstream\n+upstream\n"
    )
    fork = patched_fork(tmp_path / "fork", upstream, text)

    with pytest.raises(Paused, match=r"p0\.patch changes nothing") as caught:
        fork.sync()
    assert "  python -m tools patch drop p0" in caught.value.details


@pytest.mark.parametrize("leaves_out", ["blob:none", "tree:0"])
def test_a_clone_that_lacks_objects_is_no_source_without_its_origin_and_nothing_is_written(
    tmp_path: Path, fork: Fork, upstream: Upstream, leaves_out: str
) -> None:
    upstream.git.run("config", "uploadpack.allowFilter", "true")
    upstream.commit({"new.txt": b"new\n"}, tag="v1.1.0")
    command = ("clone", "--quiet", "--bare", f"--filter={leaves_out}", upstream.folder.as_uri(), "partial")
    Git(tmp_path).run(*command)
    before = contents(fork.root / "mirror")
    upstream.folder.rename(tmp_path / "away")
    options = SyncOptions("v1.1.0", str(tmp_path / "partial"))

    with pytest.raises(ToolError, match=r"cannot be fetched|is missing"):
        Synchronization(fork.project, DiskFiles(), fork.said.append).run(options)
    assert contents(fork.root / "mirror") == before
