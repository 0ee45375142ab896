"""The origin of the pinned release: a lock that agrees with its tree still has to agree with the upstream."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.gates import run_gates
from tools.mirrorkeeper.lockfile.pin import Tag, read_pin
from tools.mirrorkeeper.mirror.source.place import Place
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.mirror.verify.releases.origin import check_origin
from tools.mirrorkeeper.system.files import DiskFiles

pytestmark = pytest.mark.slow


def codes(fork: Fork) -> list[str]:
    return [one.code for one in check_origin(fork.project).findings]


def sync_from(fork: Fork, place: Path, wanted: str) -> None:
    Synchronization(fork.project, DiskFiles(), fork.said.append).run(SyncOptions(wanted, str(place)))


def test_a_release_of_the_declared_upstream_is_clean(fork: Fork) -> None:
    assert codes(fork) == []


def test_a_release_that_another_repository_made_under_the_same_tag_is_found_by_the_gates(
    fork: Fork, upstream: Upstream, tmp_path: Path
) -> None:
    other = Upstream(tmp_path / "evil")
    other.commit({"README.md": b"owned\n"}, tag="v1.1.0")
    upstream.commit({"README.md": b"honest\n"}, tag="v1.1.0")
    sync_from(fork, other.folder, "v1.1.0")
    fork.commit()

    assert fork.codes(prove=True) == []
    assert set(codes(fork)) == {"PIN007", "PIN008", "PIN016"}
    assert run_gates(fork.project, ("origin",)).status == 1


def test_a_tag_the_upstream_does_not_have_is_found(fork: Fork, tmp_path: Path) -> None:
    other = Upstream(tmp_path / "evil")
    other.commit({"README.md": b"owned\n"}, tag="v9.0.0")
    sync_from(fork, other.folder, "v9.0.0")

    assert set(codes(fork)) == {"PIN008", "PIN009", "PIN016"}


def test_a_tag_that_was_renamed_in_the_lock_alone_is_found(fork: Fork, upstream: Upstream) -> None:
    upstream.git.run("tag", "v1.0.1")
    upstream.commit({"a": b"a"})
    upstream.git.run("tag", "v1.0.2")
    fork.sync("v1.0.1")
    pin = read_pin(fork.project)
    assert pin is not None
    assert pin.tag is not None
    fork.project.lock_path.write_bytes(pin._replace(tag=Tag("v1.0.2", pin.tag.kind, pin.tag.oid)).render())

    assert "PIN007" in codes(fork)


def test_a_clone_at_the_same_release_is_only_noted_as_the_origin(
    fork: Fork, upstream: Upstream, tmp_path: Path
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    fork.project.git.run("clone", "--quiet", str(upstream.folder), str(tmp_path / "clone"))
    sync_from(fork, tmp_path / "clone", "v1.1.0")
    report = check_origin(fork.project)
    assert ([one.code for one in report.findings], report.status) == (["PIN016"], 0)

    fork.sync("v1.1.0")
    assert codes(fork) == []


def test_an_upstream_that_cannot_be_reached_could_not_be_checked(fork: Fork) -> None:
    text = fork.project.declaration_path.read_text(encoding="utf-8")
    fork.project.declaration_path.write_text(text.replace("../upstream", "http://127.0.0.1:1/x.git"), encoding="utf-8")

    report = run_gates(fork.project, ("origin",))
    assert report.status == 2
    assert report.unchecked[0].startswith("origin: http://127.0.0.1:1/x.git cannot be asked")
    with pytest.raises(ToolError, match="is not on this machine"):
        check_origin(fork.project, offline=True)


def test_credentials_of_an_address_are_not_recorded() -> None:
    place = Place("https://me:secret@example.test/x.git", Path("/nowhere"))
    assert place.recorded == "https://example.test/x.git"
