"""Files for continuous integration, run as the commands they are; the forge itself has not been run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.repository.tracked import ROOT
from tests.tools.mirrorkeeper.repositories import Fork, Upstream
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.report.watch import BODY, TITLE

pytestmark = pytest.mark.slow
HOME = ROOT / "tools/mirrorkeeper"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def on_path(tmp_path: Path) -> Path:
    """A folder with the command `mirrorkeeper`, as an installed wheel has it."""
    place = tmp_path / "bin/mirrorkeeper"
    place.parent.mkdir()
    place.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m tools "$@"\n', encoding="utf-8")
    place.chmod(0o755)
    (place.parent / "python").symlink_to(sys.executable)
    return place.parent


@pytest.fixture
def action(fork: Fork, on_path: Path, tmp_path: Path) -> Run:
    """Run the step of the composite action with these inputs; return its status and its outputs."""
    parts: dict[str, Any] = yaml.safe_load((HOME / "action/action.yml").read_text(encoding="utf-8"))
    step = next(one for one in parts["runs"]["steps"] if one.get("id") == "run")

    def run(**inputs: str) -> tuple[int, str]:
        values = {name: str(row["default"]) for name, row in parts["inputs"].items()} | inputs
        environment = {key: text.replace("${{ inputs.", "").replace(" }}", "") for key, text in step["env"].items()}
        output = tmp_path / "output"
        output.write_text("", encoding="utf-8")
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=fork.root,
            env={
                **os.environ,
                **{key: values[name] for key, name in environment.items()},
                "PATH": f"{on_path}:{os.environ['PATH']}",
                "GITHUB_OUTPUT": str(output),
                "RUNNER_TEMP": str(tmp_path),
            },
            capture_output=True,
            check=False,
        )
        return done.returncode, output.read_text(encoding="utf-8")

    return run


def test_the_action_runs_the_gates_and_hands_on_their_status(action: Run, fork: Fork) -> None:
    assert action() == (0, "status=0\n")
    (fork.mirror / "README.md").write_bytes(b"changed\n")
    assert action() == (1, "status=1\n")
    assert action(task="something") == (2, "status=2\n")


def test_the_action_brings_the_mirror_to_the_newest_release(action: Run, fork: Fork, upstream: Upstream) -> None:
    upstream.commit({"README.md": b"new\n"}, tag="v1.2.0")

    assert action(task="watch") == (0, "word=open\nstatus=1\n")
    assert action(task="sync") == (0, "status=0\n")
    assert (fork.mirror / "README.md").read_bytes() == b"new\n"
    assert action(task="watch") == (0, "word=close\nstatus=0\n")
    assert action(task="sync") == (0, "status=0\n")


def test_the_action_brings_no_release_where_the_upstream_has_to_be_looked_at_first(
    action: Run, fork: Fork, upstream: Upstream
) -> None:
    before = fork.mirror.joinpath("README.md").read_bytes()
    upstream.git.run("tag", "--force", "v1.0.0", upstream.commit({"README.md": b"new\n"}, tag="v1.2.0"))
    assert action(task="sync") == (1, "status=1\n")
    upstream.folder.rename(upstream.folder.with_name("elsewhere"))
    assert action(task="sync") == (2, "status=2\n")
    assert action(task="sync", folder="nowhere") == (2, "status=2\n")
    assert fork.mirror.joinpath("README.md").read_bytes() == before


@pytest.mark.parametrize("release", ["--help", "--discard", "-h"])
def test_a_release_is_never_taken_for_an_option(action: Run, release: str) -> None:
    assert action(task="sync", release=release) == (2, "status=2\n")


def test_the_action_says_which_status_a_missing_program_has(action: Run, on_path: Path) -> None:
    program = on_path / "mirrorkeeper"
    program.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")

    assert action() == (127, "status=127\n")
    described = yaml.safe_load((HOME / "action/action.yml").read_text(encoding="utf-8"))["outputs"]["status"]
    assert "127" in described["description"]


def test_the_hooks_promise_no_proof_of_where_a_release_comes_from() -> None:
    hooks = yaml.safe_load((HOME / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert not any("proven" in hook["name"] for hook in hooks)


def test_every_hook_is_a_command_that_passes(fork: Fork, on_path: Path) -> None:
    hooks = yaml.safe_load((HOME / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

    for hook in hooks:
        words = [str(on_path / "mirrorkeeper"), *shlex.split(hook["entry"])[1:]]
        assert subprocess.run(words, cwd=fork.root, capture_output=True, check=False).returncode == 0
    assert [hook["id"] for hook in hooks] == ["mirror-verify", "mirror-gates"]


def test_one_issue_is_opened_updated_kept_and_closed(
    fork: Fork, upstream: Upstream, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "watch"

    def watched() -> tuple[int, str]:
        status = main(["-C", str(fork.root), "mirror", "watch", str(folder)])
        return status, capsys.readouterr().out.strip()

    assert watched() == (0, "none")
    upstream.commit({"README.md": b"new\n"}, tag="v1.2.0")
    assert watched() == (1, "open")
    assert (folder / TITLE).read_text(encoding="utf-8") == "Upstream released v1.2.0\n"
    assert "v1.2.0" in (folder / BODY).read_text(encoding="utf-8")
    assert watched() == (1, "unchanged")
    upstream.commit({"README.md": b"newer\n"}, tag="v1.3.0")
    assert watched() == (1, "update")
    fork.sync("v1.3.0")
    assert watched() == (0, "close")
    assert list(folder.iterdir()) == []
    upstream.folder.rename(tmp_path / "elsewhere")
    assert watched()[0] == 2
