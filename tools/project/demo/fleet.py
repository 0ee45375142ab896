"""Demo of a fleet: three gateways, PostgreSQL, a console and two workers, all stopped by one Ctrl-C."""

import asyncio
import os
import shutil
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Final

from aiohttp import ClientSession

from adapter.contract.expectations import HEALTH, PAGE, READY, own

from ...mirror.errors import ToolError
from .folder import DemoFolder, open_folder
from .plugin import without_plugin
from .ports import free_port
from .postgresql import ADVICE, Cluster, find_postgresql
from .providers import LOOPBACK
from .service import STARTED_WITHIN, answers, child, interrupted, stand_in

GATEWAYS: Final = {
    "east": {"region": "east", "team": "blue"},
    "north": {"region": "north", "team": "blue"},
    "west": {"region": "west", "team": "green"},
}
"""Labels of the gateways by name."""
WORKERS: Final = 2
DATABASE: Final = "POOLKEEPER_DATABASE_URL"
_GATEWAY: Final = "poolkeeper-gateway"
_SHARED: Final = ("secret.key", "fleet.key")


def open_fleet(path: Path) -> dict[str, DemoFolder]:
    """Return the demo folders of the gateways, which share one stand-in for providers."""
    folders: dict[str, DemoFolder] = {}
    for name in GATEWAYS:
        first = next(iter(folders.values()), None)
        folders[name] = open_folder(path / name, providers_port=first.providers_port if first else 0)
        without_plugin(folders[name])
    return folders


@contextmanager
def database(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the database of POOLKEEPER_DATABASE_URL, or one of a new server in a temporary folder.

    Raises ToolError: there is no PostgreSQL on this machine.
    """
    if address := environment.get(DATABASE, ""):
        yield address
        return
    programs = find_postgresql(environment)
    if programs is None:
        raise ToolError("There is no PostgreSQL on this machine.", ADVICE)
    folder = Path(tempfile.mkdtemp(prefix="pk-fleet-"))
    try:
        cluster = Cluster(programs, folder, ("fsync=off", "max_connections=100"))
        cluster.make()
        cluster.start()
        try:
            yield cluster.address("postgres")
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder)


async def serve_fleet(path: Path, say: Callable[[str], None], environment: Mapping[str, str] = os.environ) -> None:
    """Serve the fleet until Ctrl-C, or until one of its processes ends by itself.

    Raises ToolError: a process ended by itself or did not answer in time; it has said why.
    """
    folders = open_fleet(path)
    listen = f"{LOOPBACK}:{free_port()}"
    first = next(iter(folders.values()))
    key, console, origin = first.management_key, path / "console", f"http://{listen}"
    async with AsyncExitStack() as opened:
        stop = asyncio.create_task((await opened.enter_async_context(interrupted())).wait())
        opened.callback(stop.cancel)
        variables = {
            **environment,
            DATABASE: opened.enter_context(database(environment)),
            "POOLKEEPER_MANAGEMENT_KEY": key,
            "POOLKEEPER_LOG_LEVEL": "warning",  # so that address and key stay last
        }
        await opened.enter_async_context(stand_in(first))
        commands = [_gateway(folder) for folder in folders.values()]
        commands.append(_command("serve", "--fleet", "--listen", listen, "--data-dir", str(console)))
        processes = [await opened.enter_async_context(child(command, variables)) for command in commands]
        origins = [*(f"{folder.origin}{HEALTH}" for folder in folders.values()), f"{origin}{READY}"]
        await _until_ready(origins, processes, stop)
        for number in range(1, WORKERS + 1):
            folder = _worker_folder(console, path / f"worker-{number}")
            command = _command("worker", "--fleet", "--data-dir", str(folder))
            processes.append(await opened.enter_async_context(child(command, variables)))
        await _add(folders, origin, key)
        say(f"Ctrl-C stops the demo.\nThe fleet is at {origin}{PAGE}\nManagement key: {key}")
        await _until_end(processes, stop)


def _command(*arguments: str) -> Sequence[str]:
    return (sys.executable, "-m", "extension", *arguments)


def _gateway(folder: DemoFolder) -> Sequence[str]:
    return (str(Path(sys.executable).with_name(_GATEWAY)), "--config", str(folder.config))


def _worker_folder(console: Path, folder: Path) -> Path:
    """Return the data folder of a worker, with the keys of the console."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for name in _SHARED:
        shutil.copy(console / name, folder / name)
    return folder


async def _until_ready(origins: Iterable[str], processes: Sequence[Process], stop: asyncio.Task[bool]) -> None:
    """Return as soon as every address answers. Raises ToolError: a process ended, or one did not answer in time."""
    ready = asyncio.create_task(_all_answer(origins))
    ending = asyncio.create_task(_until_end(processes, stop))
    try:
        await asyncio.wait({ready, ending}, timeout=STARTED_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        if ending.done():
            ending.result()
        elif not ready.done():
            raise ToolError(f"The fleet did not answer within {STARTED_WITHIN:.0f} s.", "Its last lines may say why.")
    finally:
        ready.cancel()
        ending.cancel()
        await asyncio.gather(ready, ending, return_exceptions=True)


async def _all_answer(origins: Iterable[str]) -> None:
    await asyncio.gather(*map(answers, origins))


async def _add(folders: Mapping[str, DemoFolder], origin: str, key: str) -> None:
    """Bring the fleet to these gateways, each with its key and its labels."""
    gateways = [
        {"name": name, "url": folder.origin, "key": folder.management_key, "labels": GATEWAYS[name]}
        for name, folder in folders.items()
    ]
    url, headers = f"{origin}{own('fleet/gateways/import')}", {"X-Management-Key": key}
    async with ClientSession() as session, session.post(url, json={"gateways": gateways}, headers=headers) as answer:
        if not answer.ok:
            raise ToolError("The gateways were not added.", (await answer.text())[:500])


async def _until_end(processes: Sequence[Process], stop: asyncio.Task[bool]) -> None:
    """Wait for Ctrl-C. Raises ToolError: a process ended by itself."""
    endings = [asyncio.create_task(process.wait()) for process in processes]
    try:
        await asyncio.wait({stop, *endings}, return_when=asyncio.FIRST_COMPLETED)
        statuses = [ending.result() for ending in endings if ending.done()]
        if statuses and not stop.done():
            raise ToolError(f"A process of the fleet ended by itself (exit status {statuses[0]}).", "It has said why.")
    finally:
        for ending in endings:
            ending.cancel()
        await asyncio.gather(*endings, return_exceptions=True)
