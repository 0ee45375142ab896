"""Settings of the project's own repository that make git look less closely; the tools look all the same."""

from __future__ import annotations

import os

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow

README = "mirror/gateway/README.md"


def test_a_file_exchanged_for_one_of_the_same_size_and_time_is_seen_whatever_git_is_told_to_compare(fork: Fork) -> None:
    path = fork.mirror / "README.md"
    os.utime(path, (1_700_000_000, 1_700_000_000))  # long before the index is written: git relies on its record then
    fork.project.git.run("update-index", "-q", "--refresh")
    fork.project.git.run("config", "core.checkStat", "minimal")
    assert verify(fork.project, VerifyOptions()).checks[0].summary.endswith("by git's records")
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().upper())
    os.utime(other, (1_700_000_000, 1_700_000_000))
    other.replace(path)

    assert fork.found() == [("MIR001", README)]


def test_a_file_named_like_another_but_for_case_is_seen_whatever_git_takes_the_file_system_for(fork: Fork) -> None:
    fork.project.git.run("config", "core.ignoreCase", "true")
    fork.project.git.run("update-index", "-q", "--refresh")
    (fork.mirror / "readme.md").write_bytes(b"twin\n")

    assert fork.found() == [("MIR006", "mirror/gateway/readme.md")]
