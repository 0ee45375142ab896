"""A folder that commands work in is gone at the end, also when a signal ends this process while they write."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tools.mirrorkeeper.system.children import CHILDREN
from tools.mirrorkeeper.system.signals import EndedError
from tools.mirrorkeeper.system.working_folder import working_folder

WRITES = 'i=0; echo ready; while [ $i -lt 300000 ]; do i=$((i+1)); : > "$1/$i"; done 2>/dev/null'
LEAVES_A_WRITER = f"""
({WRITES.replace("300000", "3000")}) &
trap 'exit 0' TERM
wait
"""


@pytest.mark.parametrize("script", [WRITES, LEAVES_A_WRITER], ids=["child", "grandchild"])
def test_a_folder_that_is_still_written_to_is_removed_after_a_signal(script: str) -> None:
    made: list[Path] = []

    def interrupted() -> None:
        with working_folder("working-") as name:
            made.append(Path(name))
            child = CHILDREN.start(lambda: subprocess.Popen(["sh", "-c", script, "sh", name], stdout=subprocess.PIPE))
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            child.stdout.close()
            raise EndedError(signal.SIGTERM)

    with pytest.raises(EndedError):
        interrupted()
    assert not made[0].exists()


def test_a_folder_is_removed_after_an_error_too() -> None:
    made: list[Path] = []

    def failing() -> None:
        with working_folder("working-") as name:
            made.append(Path(name))
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it has no text
        failing()
    assert not made[0].exists()
