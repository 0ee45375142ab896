"""Tables of the contract whose code ends its process, prints, or fails: only that process is disturbed."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tools.mirrorkeeper.contract.expectations import Expectations, read_expectations
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.project import Project

SHOWN = "tables.py"
PLAIN = "CONTRACT = ALSO_USED = KEYS = ()\n"


def read(folder: Path, text: str) -> Expectations:
    (folder / SHOWN).write_text(text, encoding="utf-8")
    return read_expectations(Project.at(folder), SHOWN)


@pytest.mark.parametrize(
    "end",
    ["import os\nos._exit(0)", "import os\nos.kill(os.getpid(), 9)", "import os\nos.closerange(3, 99)\nos._exit(0)"],
)
def test_tables_that_end_their_process_could_not_be_checked(tmp_path: Path, end: str) -> None:
    with pytest.raises(ToolError, match=r"^tables\.py ends the process that reads it"):
        read(tmp_path, f"{PLAIN}{end}\n")


def test_output_of_the_tables_goes_to_standard_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = read(tmp_path, f"{PLAIN}print('hello', flush=True)\nimport sys\nsys.stdout.close()\n")

    assert found.contract == ()
    found.stop()
    assert capfd.readouterr() == ("", "hello\n")


def test_a_row_that_holds_no_text_could_not_be_checked(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"cannot be read: TypeError\('5 is not a text'\)"):
        read(tmp_path, f"{PLAIN}HEALTH = 5\n")


def test_functions_of_the_tables_answer_until_one_ends_its_process(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        f"""{PLAIN}
import os
def below(name): return {{"a": "/a", "b": "/b"}}[name]
def broken(name): return 1 / 0
def ending(name): os._exit(0)
def _private(name): return name
""",
    )
    functions = found.words.functions

    assert (sorted(functions), list(found.words.private)) == (["below", "broken", "ending"], ["_private"])
    assert [functions["below"](name) for name in "aba"] == ["/a", "/b", "/a"]
    with pytest.raises(KeyError):
        functions["below"]("c")
    with pytest.raises(ToolError, match=r"broken\('a'\) fails: ZeroDivisionError"):
        functions["broken"]("a")
    with pytest.raises(ToolError, match="ends the process that reads it"):
        functions["ending"]("a")
    found.stop()


def test_tables_that_answer_without_end_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = """
import os, sys
def below(name):
    while True: os.write(int(sys.argv[2]), b'{"asked": "another"}\\n' * 100)
"""
    found = read(tmp_path, f"{PLAIN}{endless}")
    monkeypatch.setattr("tools.mirrorkeeper.contract.table_process._SECONDS", 0.5)

    with pytest.raises(ToolError, match=r"^tables\.py: no answer within 0\.5 seconds"):
        found.words.functions["below"]("a")
    found.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit no memory")
@pytest.mark.parametrize(
    "endless",
    ["CONTRACT = itertools.repeat(Row)", "CONTRACT = list(itertools.repeat(Row))", "x = 'x' * (1 << 31)"],
    ids=["read", "made", "one text"],
)
def test_tables_without_an_end_are_stopped_by_their_memory(tmp_path: Path, endless: str) -> None:
    row = "import itertools\nclass Row: method, path, caller = 'GET', '/a', 'b'\n"
    with pytest.raises(ToolError, match=r"^tables\.py cannot be read: it takes more than 512 MB of memory"):
        read(tmp_path, f"{PLAIN}{row}{endless}\n")


def test_an_answer_without_an_end_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"^tables\.py: an answer has more than 8 MB"):
        read(tmp_path, f"{PLAIN}import os, sys\nwhile True: os.write(int(sys.argv[2]), b'x' * 9999)\n")


@pytest.mark.parametrize("raised", ["BaseException('stop')", "KeyboardInterrupt", "GeneratorExit"])
def test_whatever_the_tables_raise_is_the_reason(
    tmp_path: Path, raised: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ToolError, match=rf"cannot be read: {raised.partition('(')[0]}"):
        read(tmp_path, f"{PLAIN}raise {raised}\n")
    assert capfd.readouterr() == ("", "")


def test_a_signal_of_the_tables_to_their_group_reaches_them_alone(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="ends the process that reads it"):
        read(tmp_path, f"{PLAIN}import os\nos.killpg(os.getpgrp(), 15)\n")


@pytest.mark.parametrize("end", ["os._exit(0)", ""], ids=["tables that end", "tables that answer"])
def test_a_process_that_the_tables_start_ends_with_them(tmp_path: Path, end: str) -> None:
    began = time.monotonic()
    forked = f"""
import os, signal
child = os.fork()
if not child:
    signal.pause()
    os._exit(0)
with open({str(tmp_path / "child")!r}, "w") as file:
    file.write(str(child))
{end}
"""
    if end:
        with pytest.raises(ToolError, match="ends the process that reads it"):
            read(tmp_path, PLAIN + forked)
    else:
        read(tmp_path, PLAIN + forked).stop()
    assert time.monotonic() - began < 30
    child = int((tmp_path / "child").read_text(encoding="ascii"))
    looking = threading.Event()
    while is_running(child) and time.monotonic() - began < 30:
        looking.wait(0.05)
    assert not is_running(child)


def is_running(process: int) -> bool:
    """Return whether a process runs; one that has ended may wait for its parent to take note of it."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return listed.stdout.strip()[:1] not in {"", "Z"}
