"""What the upstream has by now, by releases, pre-releases and commits, near and on the network."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.mirror.remote import served
from tests.tools.mirrorkeeper.repositories import WHO, Fork, Upstream, make_fork
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.findings import Finding
from tools.mirrorkeeper.lockfile.pin import read_pin
from tools.mirrorkeeper.mirror.verify.releases.outdated import outdated

pytestmark = pytest.mark.slow


def found(fork: Fork, place: str | None = None) -> list[Finding]:
    return list(outdated(fork.project, place).findings)


def pinned(fork: Fork) -> str:
    pin = read_pin(fork.project)
    assert pin is not None
    return pin.name


def test_a_pre_release_is_taken_neither_at_first_nor_for_newer(fork: Fork, upstream: Upstream, tmp_path: Path) -> None:
    upstream.commit({"a": b"a"}, tag="v2.0.0-rc1")
    first = make_fork(tmp_path / "first", str(upstream.folder))
    first.sync()

    assert pinned(first) == "v1.0.0"
    assert found(fork) == []


def test_who_pins_a_pre_release_is_told_of_newer_ones(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v2.0.0-rc1")
    upstream.commit({"a": b"b"}, tag="v2.0.0-rc2")
    fork.sync("v2.0.0-rc1")

    assert [one.details for one in found(fork)] == [("v2.0.0-rc2",)]


def test_an_upstream_with_pre_releases_alone_gives_the_newest_of_them(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "upstream")
    upstream.commit({"a": b"a"}, tag="v1.0.0-rc1")
    upstream.commit({"a": b"b"}, tag="v1.0.0-rc2")
    fork = make_fork(tmp_path / "fork", str(upstream.folder))
    fork.sync()

    assert pinned(fork) == "v1.0.0-rc2"


def test_newer_than_a_pinned_commit_is_what_was_released_after_it(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    commit = upstream.commit({"a": b"b"}, tag="v1.2.0")
    fork.sync(commit)
    assert found(fork) == []

    upstream.commit({"a": b"c"}, tag="v1.3.0")
    assert [(one.code, one.details) for one in found(fork)] == [("PIN006", ("v1.3.0",))]
    with served(upstream) as address:
        assert [(one.code, one.details) for one in found(fork, address)] == [("PIN006", ("v1.3.0",))]


def test_newer_than_a_tag_of_another_kind_is_what_was_released_after_it(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="nightly")
    fork.sync("nightly")
    assert found(fork) == []

    upstream.commit({"a": b"c"}, tag="v1.3.0")
    assert [one.details for one in found(fork)] == [("v1.3.0",)]


def test_the_help_names_the_place_that_was_looked_at(fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")

    (newer,) = found(fork, str(upstream.folder))

    assert newer.fix == f"python -m tools mirror sync v1.1.0 --source {upstream.folder}"


def rewrite(upstream: Upstream) -> None:
    upstream.git.run("tag", "--delete", "v1.0.0")
    upstream.git.run("commit", "--quiet", "--amend", "--message=rewritten", environment=WHO)
    upstream.git.run("tag", "v1.1.0")


@pytest.mark.parametrize("near", [True, False])
def test_a_rewritten_history_is_seen_at_a_file_address_and_on_the_network(
    fork: Fork, upstream: Upstream, *, near: bool
) -> None:
    rewrite(upstream)

    with served(upstream) as address:
        place = upstream.folder.as_uri() if near else address
        assert [one.code for one in found(fork, place)] == ["PIN006", "PIN008", "PIN009"]


def test_a_history_rewritten_at_a_file_address_is_told_at_the_synchronization(fork: Fork, upstream: Upstream) -> None:
    text = fork.project.declaration_path.read_text(encoding="utf-8")
    changed = text.replace("../upstream", upstream.folder.as_uri())
    fork.project.declaration_path.write_text(changed, encoding="utf-8")
    rewrite(upstream)

    fork.sync("v1.1.0")

    assert "note: v1.1.0 does not descend from v1.0.0: the upstream rewrote its history" in fork.said


def test_on_the_network_the_tags_alone_tell_enough_while_the_pinned_one_is_there(
    fork: Fork, upstream: Upstream
) -> None:
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    with served(upstream) as address:
        assert [(one.code, one.details) for one in found(fork, address)] == [("PIN006", ("v1.1.0",))]


def test_the_help_for_a_moved_tag_settles_it(fork: Fork, upstream: Upstream) -> None:
    fork.sync()
    upstream.commit({"a": b"a"})
    upstream.git.run("tag", "--force", "v1.0.0")
    (moved,) = found(fork)
    assert moved.fix.endswith("python -m tools mirror sync --accept-moved-tag")

    fork.sync()
    assert fork.said[-1].startswith("the mirror is at v1.0.0 already")
    fork.sync(accept_moved_tag=True)

    assert (fork.mirror / "a").read_bytes() == b"a"
    assert found(fork) == []


def test_a_tag_made_anew_for_the_same_commit_is_told_by_its_own_ids(fork: Fork, upstream: Upstream) -> None:
    before = upstream.git.run("rev-parse", "v1.0.0").text
    upstream.git.run("tag", "--annotate", "--force", "--message=again", "v1.0.0", "v1.0.0^{}", environment=WHO)
    after = upstream.git.run("rev-parse", "v1.0.0").text

    with pytest.raises(ToolError) as caught:
        fork.sync("v1.0.0")
    text = f"the tag v1.0.0 was made anew upstream: pinned as {before}, now {after}, of the same commit"
    assert caught.value.text == text
    assert caught.value.advice.endswith("python -m tools mirror sync v1.0.0 --accept-moved-tag")


@pytest.mark.parametrize("near", [True, False])
def test_a_synchronization_to_another_release_tells_that_the_pinned_tag_moved(
    fork: Fork, upstream: Upstream, *, near: bool
) -> None:
    before = upstream.git.run("rev-parse", "v1.0.0").text
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    upstream.git.run("tag", "--force", "v1.0.0")
    after = upstream.git.run("rev-parse", "v1.0.0").text

    with served(upstream) as address:
        text = fork.project.declaration_path.read_text(encoding="utf-8")
        changed = text if near else text.replace("../upstream", address)
        fork.project.declaration_path.write_text(changed, encoding="utf-8")
        fork.sync("v1.1.0")

    assert f"note: the tag v1.0.0, pinned as {before}, is {after} upstream by now" in fork.said


def test_a_synchronization_to_another_release_tells_that_the_pinned_tag_is_gone(fork: Fork, upstream: Upstream) -> None:
    before = upstream.git.run("rev-parse", "v1.0.0").text
    upstream.commit({"a": b"a"}, tag="v1.1.0")
    upstream.git.run("tag", "--delete", "v1.0.0")

    fork.sync("v1.1.0")

    assert f"note: the tag v1.0.0, pinned as {before}, is gone upstream" in fork.said
