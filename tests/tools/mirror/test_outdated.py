"""`mirror outdated`, `mirror status`, `mirror diff` and the origin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirror.project import Fork, Upstream, git
from tools.mirror.errors import ToolError
from tools.mirror.outdated import check_origin, differences, outdated, status_lines


def test_newer_releases_are_a_note_and_prereleases_only_where_they_are_asked_for(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a": b"1\n"}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    fork.sync()
    assert outdated(fork.declaration, fork.said.append) == []
    upstream.commit({"a": b"2\n"}, tag="v2.0rc1")
    assert outdated(fork.declaration, fork.said.append) == []
    upstream.commit({"a": b"3\n"}, tag="v1.1.0")
    (finding,) = outdated(fork.declaration, fork.said.append)
    assert (finding.code, finding.level) == ("PIN006", "note")
    assert finding.message.startswith("v1.1.0 is the newest of 1 newer release")
    (finding,) = outdated(fork.declaration, fork.said.append, prereleases=True)
    assert finding.message == "v2.0rc1 is the newest of 2 newer releases: v1.1.0, v2.0rc1"


def test_forward_tries_the_patches_on_the_next_releases(fork: Fork) -> None:
    findings = outdated(fork.declaration, fork.said.append, forward=3)

    broken = [finding for finding in findings if finding.code == "PAT009"]
    assert [finding.message for finding in broken] == [
        "v1.2.0 needs a person for 2 of 4 patches: 1-first.patch, 2-second.patch"
    ]
    assert fork.said == ["v1.1.0 takes 4 patches, 2 elsewhere", "v1.3.0 takes 4 patches, 1 in it already"]
    assert fork.is_clean()


def test_a_pinned_tag_that_moved_or_is_gone_is_an_error(tmp_path: Path) -> None:
    upstream = Upstream(tmp_path / "work")
    upstream.commit({"a": b"1\n"}, tag="v1.0.0")
    fork = Fork.make(tmp_path / "fork", "../work")
    fork.sync()
    assert check_origin(fork.declaration) == []
    upstream.commit({"a": b"2\n"})
    git(upstream.folder, "tag", "--force", "--annotate", "--message=x", "v1.0.0")
    assert [finding.code for finding in check_origin(fork.declaration)] == ["PIN007"]
    git(upstream.folder, "tag", "--delete", "v1.0.0")
    assert [finding.code for finding in check_origin(fork.declaration)] == ["PIN009"]


def test_one_screen_shows_pin_state_patches_and_what_waits(pinned: Fork) -> None:
    lines = list(status_lines(pinned.declaration))
    assert lines[1].startswith("pin: v1.0.0, commit ")
    assert "mirror: mirror/gateway: as pinned" in lines
    assert "1-first.patch: first" in lines


def test_differences_of_patches_and_of_releases_are_shown(fork: Fork) -> None:
    shown = differences(fork.declaration, None, "name-status", None, fork.said.append)
    assert shown.splitlines() == ["M\ta.txt", "M\tb.txt", "M\tsub/c.txt"]
    shown = differences(fork.declaration, "v1.0.0..v1.1.0", "name-status", None, fork.said.append)
    assert shown.splitlines() == ["M\ta.txt", "D\tgone.txt", "A\tnew.txt"]
    assert differences(fork.declaration, "v1.1.0", "name-status", None, fork.said.append) == shown
    with pytest.raises(ToolError, match="has no release v9"):
        differences(fork.declaration, "v9", "stat", None, fork.said.append)
