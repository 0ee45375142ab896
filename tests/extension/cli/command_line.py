"""The real command line, in this process or in one of its own."""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from aiohttp import web
from click.testing import CliRunner, Result

from extension.cli.program import poolkeeper as program
from tests.extension.running_service import KEY, Running

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


async def typed(service: Running, *words: str, answers: str | None = None, language: str = "en") -> Result:
    """Run `poolkeeper` with a running service, as a person types it."""
    environment = {
        "POOLKEEPER_MANAGEMENT_KEY": KEY, "POOLKEEPER_SERVER": service.address, "COLUMNS": "200",
        "POOLKEEPER_LANG": language,
    }  # fmt: skip
    return await asyncio.to_thread(lambda: CliRunner().invoke(program, words, env=environment, input=answers))


async def typed_json(service: Running, *words: str) -> Any:
    """Run `poolkeeper` with `--json`; return the answer."""
    return json.loads((await typed(service, *words, "--json")).output)


@asynccontextmanager
async def answering(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """Yield the address of a server that answers every request so."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def with_key(command: click.Command, *words: str) -> tuple[int, str]:
    """Run one command with a management key; return exit status and output in one line."""
    cli = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"})
    result = await asyncio.to_thread(cli.invoke, command, words)
    return result.exit_code, " ".join(result.output.split())
