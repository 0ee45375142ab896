from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import SOURCE, entry_fork
from tests.tools.mirrorkeeper.failing_files import FailingFiles, PowerLostError
from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork
from tools.mirrorkeeper.cli import main
from tools.mirrorkeeper.commands.group import COMMANDS, build_cli
from tools.mirrorkeeper.mirror.sync.sync import Synchronization
from tools.mirrorkeeper.mirror.sync.sync_options import SyncOptions
from tools.mirrorkeeper.project import Project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with mirror and entry, everything committed, beside its upstream; tests take copies."""
    folder = tmp_path_factory.mktemp("prepared")
    made = entry_fork(folder, SOURCE)
    assert run(made, "entry") == 0
    made.commit()
    return folder


@pytest.fixture
def whole(prepared: Path, tmp_path: Path) -> Fork:
    """A project with mirror and entry, everything committed."""
    shutil.copytree(prepared, tmp_path / "whole")
    return Fork(Project.at(tmp_path / "whole/fork"))


def run(fork: Fork, *arguments: str) -> int:
    return main(["-C", str(fork.root), *arguments])


@pytest.mark.parametrize(
    "arguments", [("mirror", "verify"), ("mirror", "verify", "--prove", "--strict"), ("entry", "--check"), ("gates",)]
)
def test_a_whole_project_is_clean_with_status_0(
    whole: Fork, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(whole, *arguments) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(": clean")


@pytest.mark.parametrize("arguments", [("mirror", "verify"), ("gates",)])
def test_one_changed_byte_is_one_finding_with_status_1(
    whole: Fork, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    (whole.mirror / "src/pkg/naming.py").write_bytes(b"#")

    assert run(whole, *arguments, "--output-format", "json") == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["code"], finding["path"]) == ("MIR001", "mirror/gateway/src/pkg/naming.py")


def test_a_hand_edited_entry_fails_the_gates_with_a_difference(whole: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    path = whole.root / "ours/_generated.py"
    path.write_text(path.read_text(encoding="utf-8").replace("world", "World"), encoding="utf-8")

    assert run(whole, "entry", "--check") == 1
    assert run(whole, "gates") == 1
    text = capsys.readouterr().out
    assert '    -    application = build( "World" )   # odd spacing' in text
    assert "help: python -m tools entry" in text


def test_a_gate_that_cannot_run_is_status_2_and_the_others_run(whole: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    whole.project.lock_path.unlink()

    assert run(whole, "gates") == 2
    text = capsys.readouterr().out
    assert "could not check: mirror, origin, patches: mirror/upstream.lock is not there" in text
    assert "entry check: ours/_generated.py compared with its source" in text


def test_a_gate_may_be_selected(whole: Fork) -> None:
    (whole.mirror / "src/pkg/naming.py").write_bytes(b"changed\n")
    assert run(whole, "gates", "--select", "mirror") == 1

    assert run(whole, "gates", "--select", "entry") == 0


def test_json_of_the_gates_is_the_same_twice(whole: Fork, capsys: pytest.CaptureFixture[str]) -> None:
    run(whole, "gates", "--output-format", "json")
    first = capsys.readouterr().out
    run(whole, "gates", "--output-format", "json")

    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("mirror", "verfy"), "No such command 'verfy'"),
        (("mirror", "sync", "--no-such"), "No such option"),
        (("-C", "/no-such-folder-of-these-tests", "gates"), "/no-such-folder-of-these-tests is not a folder"),
        (("mirror", "verify", "--output-format", "xml"), "xml"),
    ],
)
def test_what_cannot_be_understood_is_one_clear_line_with_status_2(
    tmp_path: Path, arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(tmp_path), *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("error: ")
    assert said in lines[0]
    assert [line for line in lines[1:] if not line.startswith("help: ")] == []


def test_a_patch_that_does_not_apply_is_status_3(
    tmp_path: Path, upstream: Upstream, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = make_fork(tmp_path / "fork", str(upstream.folder), '[patches]\norder = ["p.patch"]\n')
    (fork.root / "patches").mkdir()
    oid = "a" * 40
    (fork.root / "patches/p.patch").write_text(
        f"Why: it must\nForwarded: no\n\ndiff --git a/README.md b/README.md\nindex {oid}..{oid} 100644\n"
        "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-something else\n+ours\n",
        encoding="utf-8",
    )

    assert run(fork, "mirror", "sync") == 3
    assert "error: patch 1/1 p.patch does not apply" in capsys.readouterr().err
    assert not fork.mirror.exists()


def test_the_next_command_settles_an_interrupted_synchronization_and_says_so(
    whole: Fork, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Upstream(tmp_path / "whole/upstream").commit({"new": b"new"}, tag="v1.1.0")
    for at in range(1, 60):
        with pytest.raises(PowerLostError):
            Synchronization(whole.project, FailingFiles(at), whole.said.append).run(SyncOptions("v1.1.0"))
        if (whole.transaction / "journal.json").exists():
            break

    assert run(whole, "gates") == 0
    assert "an interrupted synchronization to v1.1.0 was undone" in capsys.readouterr().err
    assert not whole.transaction.exists()


def test_publishing_and_synchronizing_by_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fork = make_fork(tmp_path / "fork", "mirror/upstream")
    assert run(fork, "upstream", "open", str(tmp_path / "work")) == 0
    Upstream(tmp_path / "work").commit({"a": b"a"})
    assert run(fork, "upstream", "publish", str(tmp_path / "work"), "--version", "0.1.0") == 0
    assert "next: python -m tools mirror sync v0.1.0" in capsys.readouterr().err
    assert run(fork, "mirror", "sync", "--dry-run") == 0
    assert not fork.mirror.exists()
    assert run(fork, "mirror", "sync") == 0
    assert run(fork, "mirror", "verify") == 0
    assert run(fork, "upstream", "publish", str(tmp_path / "work")) == 2


def test_the_help_lists_every_command_without_loading_one() -> None:
    script = (
        "import sys\nfrom tools.mirrorkeeper.cli import main\nstatus = main(['--help'])\n"
        "late = ('tools.mirrorkeeper.mirror', 'tools.mirrorkeeper.entry', 'git', 'aiohttp')\n"
        "late = [name for name in sys.modules if name.startswith(late)]\n"
        "sys.exit(status or bool(late))\n"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (answer.returncode, answer.stderr) == (0, "")
    assert [name for name in COMMANDS if f"  {name} " not in answer.stdout] == []


def test_every_command_loads_and_has_help() -> None:
    group = build_cli()

    for name in COMMANDS:
        command = group.get_command(group.make_context("tools", [name]), name)
        assert command is not None
        assert command.help
