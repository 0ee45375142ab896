"""Something that is no folder where the mirrored folder, or one above it, has to be."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow

MIRROR = "mirror/gateway"


def test_a_link_to_the_very_same_files_is_not_the_mirror(fork: Fork, tmp_path: Path) -> None:
    fork.mirror.rename(tmp_path / "elsewhere")
    fork.mirror.symlink_to(tmp_path / "elsewhere")

    for options in (VerifyOptions(), VerifyOptions(hashed=True), VerifyOptions(prove=True, strict=True)):
        report = verify(fork.project, options)
        assert [(one.code, one.shown_path) for one in report.findings] == [("MIR005", MIRROR)]
        assert "symbolic link" in report.findings[0].message


def test_a_link_in_the_mirrors_place_is_replaced_on_demand_and_never_followed(fork: Fork, tmp_path: Path) -> None:
    fork.mirror.rename(tmp_path / "elsewhere")
    fork.mirror.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/mine").write_bytes(b"mine\n")

    with pytest.raises(ToolError, match=r"mirror/gateway \(MIR005\)"):
        fork.sync()
    fork.sync(discard=True)
    assert fork.codes(prove=True) == []
    assert not fork.mirror.is_symlink()
    assert (tmp_path / "elsewhere/mine").read_bytes() == b"mine\n"


@pytest.mark.parametrize("target", ["folder", "nothing"])
def test_a_link_where_the_first_mirror_is_to_be_made_is_not_replaced_unasked(
    tmp_path: Path, upstream: Upstream, target: str
) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    if target == "folder":
        (tmp_path / "folder").mkdir()
    fork.mirror.symlink_to(tmp_path / target)

    with pytest.raises(ToolError, match=r"mirror/gateway \(MIR005\)"):
        fork.sync()
    fork.sync(discard=True)
    assert fork.codes() == []
    assert not (tmp_path / "nothing").exists()


def test_a_link_above_the_mirror_is_found_and_no_file_is_written_through_it(
    fork: Fork, upstream: Upstream, tmp_path: Path
) -> None:
    upstream.commit({"README.md": b"newer\n"}, tag="v1.1.0")
    (fork.root / "mirror").rename(tmp_path / "elsewhere")
    (fork.root / "mirror").symlink_to(tmp_path / "elsewhere")

    report = verify(fork.project, VerifyOptions())
    assert ("MIR005", "mirror") in [(one.code, one.shown_path) for one in report.findings]
    assert report.status == 1
    with pytest.raises(ToolError, match="mirror is a symbolic link"):
        fork.sync("v1.1.0", discard=True)
    assert (tmp_path / "elsewhere/gateway/README.md").read_bytes() == b"upstream\n"


def test_a_plain_file_in_the_mirrors_place_is_a_finding_that_discarding_mends(fork: Fork) -> None:
    shutil.rmtree(fork.mirror)
    fork.mirror.write_bytes(b"a file\n")

    assert fork.found() == [("MIR005", MIRROR)]
    with pytest.raises(ToolError, match=r"mirror/gateway \(MIR005\)"):
        fork.sync()
    fork.sync(discard=True)
    assert fork.codes(prove=True) == []
