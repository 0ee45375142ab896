"""The demo as one command: stand-in, gateway and extension together, all stopped by one Ctrl-C."""

import asyncio
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout

from ...mirror.errors import ToolError
from .folder import DemoFolder
from .providers import Providers, start_providers

Traffic = Callable[[DemoFolder], Coroutine[Any, Any, None]]
"""Clients of the demo."""

STARTED_WITHIN = 60.0
"""Seconds the service may take until it answers."""

STOPPED_WITHIN = 10.0
"""Seconds the service may take to stop by itself; then it is killed."""

_STEP = 0.1


def service_command(folder: DemoFolder) -> tuple[str, ...]:
    """Return the command line that serves the demo pool; requests are not logged, so that address and key stay last."""
    return (sys.executable, "-m", "extension", "serve", "--config", str(folder.config), "--log-level", "warning")


async def serve_providers(folder: DemoFolder, say: Callable[[str], None]) -> None:
    """Serve the stand-in alone until Ctrl-C."""
    async with stand_in(folder) as providers, interrupted() as stop:
        say(f"Providers at {providers.address}, configuration {folder.config}; Ctrl-C stops.")
        await stop.wait()


async def serve_demo(
    folder: DemoFolder, command: Sequence[str], say: Callable[[str], None], traffic: Traffic | None = None
) -> None:
    """Serve stand-in and service until Ctrl-C, or until the service ends by itself; `traffic` begins when it answers.

    Raises ToolError: the service ended by itself or did not answer in time; it has said why.
    """
    async with stand_in(folder), interrupted() as stop, child(command) as process:
        ended = asyncio.create_task(process.wait())
        ready = asyncio.create_task(answers(folder.page))
        stopped = asyncio.create_task(stop.wait())
        sending: list[asyncio.Task[None]] = []
        try:
            await asyncio.wait({ended, ready, stopped}, timeout=STARTED_WITHIN, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                if traffic is not None:
                    sending.append(asyncio.create_task(traffic(folder)))
                say(f"Ctrl-C stops the demo.\nPoolkeeper is at {folder.page}\nManagement key: {folder.management_key}")
                await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if stopped.done():
                return
            if ended.done():
                raise ToolError(
                    f"The service ended by itself (exit status {ended.result()}).", "Its last lines say why."
                )
            raise ToolError(f"The service did not answer within {STARTED_WITHIN:.0f} s.", "Its last lines may say why.")
        finally:
            tasks = (ended, ready, stopped, *sending)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def stand_in(folder: DemoFolder) -> AsyncIterator[Providers]:
    """Run the stand-in for providers of a folder, or raise ToolError."""
    try:
        async with start_providers(folder.providers_port) as providers:
            yield providers
    except OSError as error:
        raise ToolError(
            f"The providers cannot listen on port {folder.providers_port}: {error.strerror}.",
            f"Stop what uses it, or delete {folder.path} to take another.",
        ) from error


@asynccontextmanager
async def interrupted() -> AsyncIterator[asyncio.Event]:
    """Yield an event that SIGINT and SIGTERM set instead of ending the process."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


@asynccontextmanager
async def child(command: Sequence[str], environment: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """Run a command in a session of its own, so that Ctrl-C reaches it through us and only once."""
    child = await asyncio.create_subprocess_exec(*command, env=environment, start_new_session=True)
    try:
        yield child
    finally:
        if child.returncode is None:
            child.terminate()
            try:
                await asyncio.wait_for(child.wait(), STOPPED_WITHIN)
            except TimeoutError:
                child.kill()
                await child.wait()


async def answers(address: str) -> None:
    """Return as soon as an address answers 200."""
    async with ClientSession(timeout=ClientTimeout(total=5)) as session:
        while True:
            try:
                async with session.get(address) as answer:
                    if answer.status == 200:  # noqa: PLR2004 - the status of a page
                        return
            except (ClientError, TimeoutError, ConnectionError):
                pass
            await asyncio.sleep(_STEP)
