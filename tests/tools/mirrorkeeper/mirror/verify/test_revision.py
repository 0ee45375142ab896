from __future__ import annotations

import re
import subprocess

import pytest

from tests.tools.mirrorkeeper.repositories import Fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow


def found(fork: Fork, revision: str) -> list[tuple[str, str]]:
    report = verify(fork.project, VerifyOptions(revision=revision))
    return [(one.code, one.shown_path) for one in report.findings]


def test_a_commit_is_judged_where_the_mirror_was_then(fork: Fork) -> None:
    fork.moved("vendor/up")
    (fork.root / "vendor/up/README.md").write_bytes(b"mine\n")
    fork.commit()

    assert found(fork, "HEAD~2") == found(fork, "HEAD~1") == []
    assert found(fork, "HEAD") == [("MIR001", "vendor/up/README.md")]


def test_a_commit_without_a_declaration_is_not_judged(fork: Fork) -> None:
    fork.project.declaration_path.unlink()
    fork.commit()

    with pytest.raises(ToolError, match=r"HEAD holds no mirror/upstream\.toml"):
        found(fork, "HEAD")


def test_a_commit_whose_mirror_was_lost_from_the_repository_is_no_clean_one(fork: Fork) -> None:
    tree = fork.project.git.run("rev-parse", "HEAD:mirror/gateway").text
    (fork.root / ".git/objects" / tree[:2] / tree[2:]).unlink()

    with pytest.raises(ToolError, match=r"mirror/gateway of \w+ \(\w+\) cannot be read"):
        found(fork, "HEAD")


@pytest.mark.parametrize("switch", ["--prove", "--bytes"])
def test_what_reads_working_files_is_refused_for_a_commit_with_what_does_it(
    fork: Fork, capsys: pytest.CaptureFixture[str], switch: str
) -> None:
    assert main(["-C", str(fork.root), "mirror", "verify", switch, "--rev", "HEAD"]) == 2
    said, advice = capsys.readouterr().err.splitlines()

    assert said.endswith(f"{switch} reads working files, and --rev judges a commit by the ids it holds")
    made = re.fullmatch(r"help: (git worktree add .*), then python -m tools (.*)", advice)
    assert made is not None
    subprocess.run(made[1].split(), cwd=fork.root, check=True, capture_output=True)
    arguments = made[2].replace("../judged", str(fork.root.parent / "judged")).split()
    assert main(arguments) == 0
