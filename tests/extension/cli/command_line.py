"""Running the real command line in its own process, for tests."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str


def environment_of(own: Mapping[str, str]) -> dict[str, str]:
    """This process's environment without the service's variables, and the project importable."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("POOLKEEPER_", "MANAGEMENT_"))
    }
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    fixed = {"COLUMNS": "200", "POOLKEEPER_LANG": "en", "PYTHONPATH": os.pathsep.join(paths)}
    return {**inherited, **fixed, **own}


async def started(*arguments: str, **environment: str) -> asyncio.subprocess.Process:
    """Start `poolkeeper` with these arguments; it has no terminal and nothing on stdin."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "extension",
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment_of(environment),
    )


async def ended(process: asyncio.subprocess.Process) -> Ended:
    """Wait for the end of a command."""
    out, err = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


async def poolkeeper(*arguments: str, **environment: str) -> Ended:
    """Run `poolkeeper` to its end."""
    return await ended(await started(*arguments, **environment))
