"""A fleet from the terminal: a console, a worker, and the commands about gateways, each in a process of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy

import pytest

from tests.adapter.management.stand_in import StandIn, claude, standing
from tests.repository.tracked import ROOT
from tests.system.process import FRESH, Service, clean_environment, run_command
from tools.project.demo.ports import free_port

CONSOLE_KEY = "c0nsole-key-1f0a9b"
KEY = "k3y-of-east-5c1f"

pytestmark = pytest.mark.timeout(150)


@contextmanager
def _worker(folder: Path, variables: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*FRESH, "worker", "--fleet", "--data-dir", str(folder)],
            cwd=ROOT,
            env=clean_environment(variables),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


async def test_a_gateway_is_added_inspected_and_refused_from_the_terminal(
    tmp_path: Path, postgresql_address: str
) -> None:
    stand_in, server = StandIn(), f"127.0.0.1:{free_port()}"
    stand_in.key = KEY
    stand_in.sections["claude-api-key"] = [claude(1), claude(2)]
    stand_in.reload()
    variables = {
        "POOLKEEPER_DATABASE_URL": postgresql_address,
        "POOLKEEPER_MANAGEMENT_KEY": CONSOLE_KEY,
        "GATEWAY_KEY_EAST": KEY,
    }
    console_folder, worker_folder = tmp_path / "console", tmp_path / "worker"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        terminal = {"POOLKEEPER_MANAGEMENT_KEY": CONSOLE_KEY, "POOLKEEPER_SERVER": f"http://{server}"}
        return run_command(*arguments, environment=terminal)

    async with standing(stand_in) as place:
        arguments = ["--fleet", "--listen", server, "--data-dir", str(console_folder)]
        console = await asyncio.to_thread(Service, arguments, variables, FRESH)
        try:
            await asyncio.to_thread(console.wait_until_ready)
            worker_folder.mkdir(mode=0o700)
            for name in ("secret.key", "fleet.key"):
                copy(console_folder / name, worker_folder / name)
            log = tmp_path / "worker.log"
            with _worker(worker_folder, variables, log):
                file = tmp_path / "fleet.yaml"
                file.write_text(
                    f"gateways:\n  - name: east\n    url: {place.address}\n    keyRef: env:GATEWAY_KEY_EAST\n"
                    "    labels: {team: blue}\n"
                )
                planned = await asyncio.to_thread(run, "gateway", "import", str(file), "--dry-run")
                assert (planned.returncode, planned.stdout) == (0, "east: add.\n"), planned
                assert stand_in.requests == []
                done = await asyncio.to_thread(run, "gateway", "import", str(file))
                assert (done.returncode, done.stdout) == (0, "east: add.\n"), done
                listed = await asyncio.to_thread(run, "gateway", "list")
                assert listed.returncode == 0, listed
                assert "east" in listed.stdout
                assert "team=blue" in listed.stdout

                unknown = await asyncio.to_thread(run, "status", "--pool", "west")
                assert (unknown.returncode, "There are these: east" in unknown.stderr) == (2, True), unknown
                inspected = await asyncio.to_thread(
                    run, "inspect", "--pool", "east", "--account-source", "api_key", "--json"
                )
                assert inspected.returncode in {0, 1}, (inspected, console.output, log.read_text())
                assert json.loads(inspected.stdout)

                stand_in.key = "another"
                for _ in range(2):
                    refused = await asyncio.to_thread(run, "gateway", "test", "east")
                    assert refused.returncode != 0
                assert stand_in.failures == 1
                listed = await asyncio.to_thread(run, "gateway", "list")
                assert (listed.returncode, "key refused" in listed.stdout) == (1, True), listed
            output = console.output + log.read_text()
        finally:
            await asyncio.to_thread(console.stop)
    assert KEY not in output + listed.stdout + done.stdout + refused.stderr
    assert CONSOLE_KEY not in output
    assert (console_folder / "fleet.key").stat().st_mode & 0o777 == 0o600
