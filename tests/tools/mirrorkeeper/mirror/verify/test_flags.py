"""Flags of the index that hide a mirrored file: an error, unless a sparse checkout leaves the file out."""

from __future__ import annotations

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.gates import run_gates

pytestmark = pytest.mark.slow

APP, README = "mirror/gateway/src/app.py", "mirror/gateway/README.md"


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
@pytest.mark.parametrize("change", ["deleted", "changed", "none"])
def test_a_flag_set_by_hand_is_an_error(fork: Fork, flag: str, change: str) -> None:
    fork.project.git.run("update-index", flag, APP)
    if change == "deleted":
        (fork.root / APP).unlink()
    elif change == "changed":
        (fork.root / APP).write_bytes(b"mine\n")

    more = {"deleted": [("MIR003", APP)], "changed": [("MIR001", APP)], "none": []}[change]
    assert sorted(fork.found()) == sorted([("MIR013", APP), *more])
    assert run_gates(fork.project, ("mirror",)).status == 1


def test_a_flag_beside_a_sparse_checkout_is_told_apart_from_it(fork: Fork) -> None:
    git = fork.project.git
    git.run("reset", "--quiet", "--hard")
    git.run("sparse-checkout", "set", "--no-cone", "/*", "!/mirror/gateway/src")
    assert fork.found() == [("MIR014", "mirror/gateway")]

    git.run("update-index", "--skip-worktree", README)
    (fork.root / README).unlink()
    assert sorted(fork.found()) == [("MIR003", README), ("MIR013", README), ("MIR014", "mirror/gateway")]
    assert not (fork.root / README).exists()


def test_the_advice_mends_it(fork: Fork) -> None:
    fork.project.git.run("update-index", "--skip-worktree", APP)
    (finding,) = run_gates(fork.project, ("mirror",)).findings
    fork.project.git.run(*finding.fix.split()[1:])

    assert fork.found() == []
