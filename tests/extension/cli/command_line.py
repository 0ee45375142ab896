"""The real command line, in this process or in one of its own."""

import asyncio
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from extension.cli.program import poolkeeper as program

ROOT = Path(__file__).parents[3]
_LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\dT.*\n", re.MULTILINE)
"""Line of the log of a service in this process."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Exit status and output of a command."""

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


async def served(*arguments: str, **environment: str) -> Ended:
    """Run `poolkeeper serve` to its end in a process of its own, whose limits and signals it changes."""
    return await ended(await started("serve", *arguments, **environment))


async def poolkeeper(*arguments: str, **environment: str) -> Ended:
    """Run `poolkeeper` to its end in a thread of this process."""
    variables = environment_of(environment)
    unset: dict[str, str | None] = dict.fromkeys(os.environ.keys() - variables.keys())
    result = await asyncio.to_thread(CliRunner().invoke, program, arguments, env={**unset, **variables})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout, _LOG_LINE.sub("", result.stderr))
