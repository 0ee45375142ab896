from __future__ import annotations

from pathlib import Path

import pytest

from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.system.children import CHILDREN
from tools.mirrorkeeper.system.process import PythonProcess


def process(tmp_path: Path, code: str) -> PythonProcess:
    return PythonProcess(["-P", "-c", code], tmp_path, [tmp_path])


def test_it_answers_with_what_was_printed_however_much(tmp_path: Path) -> None:
    started = process(tmp_path, "import sys; sys.stderr.write('x' * 300_000); print('y' * 300_000)")

    assert started.answer("it", "") == "y" * 300_000 + "\n"


def test_a_failure_is_told_by_its_last_line(tmp_path: Path) -> None:
    started = process(tmp_path, "raise SystemExit('no such module\\n\\n')")

    with pytest.raises(ToolError, match="it: no such module") as caught:
        started.answer("it", "see the log")
    assert caught.value.advice == "see the log"


def test_a_silent_failure_is_told_by_its_status(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="it: status 3"):
        process(tmp_path, "raise SystemExit(3)").answer("it", "")


def test_only_the_folders_given_are_added_to_the_import_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours.py").write_text("NAME = 'ours'\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", "/nowhere/else")
    started = process(tmp_path, "import sys, ours; print(ours.NAME, '/nowhere/else' in sys.path)")

    assert started.answer("it", "") == "ours False\n"
    assert not (tmp_path / "__pycache__").exists()


def test_one_that_is_not_needed_any_more_can_be_ended(tmp_path: Path) -> None:
    started = process(tmp_path, "import threading; threading.Event().wait()")

    started.stop()
    started.stop()


def test_a_module_is_run_as_the_program_it_is(tmp_path: Path) -> None:
    (tmp_path / "ours.py").write_text(
        "import gc, sys\nprint(__name__, sys.argv[0] == __file__, sys.argv[1:], gc.isenabled(), '' in sys.path)\n",
        encoding="utf-8",
    )
    started = PythonProcess.of_module("ours", tmp_path, [tmp_path])

    assert started.answer("it", "") == "__main__ True [] True False\n"


def test_a_module_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"it: .*No module named nowhere"):
        PythonProcess.of_module("nowhere", tmp_path, [tmp_path]).answer("it", "")


def test_it_ends_with_everything_else_that_was_started(tmp_path: Path) -> None:
    started = process(tmp_path, "import threading; threading.Event().wait(60)")
    CHILDREN.end()

    with pytest.raises(ToolError, match="it: status -15"):
        started.answer("it", "")
