"""An end in time, also while something hangs that cannot be cancelled."""

import signal
import subprocess
import sys
from pathlib import Path

from gateway.internal.serving import Deadline
from tests.management.serving import secured

HANGING = """
import sys, threading
from pathlib import Path
import asyncio
from gateway.internal import serving
from gateway.internal.management.application import build_application
from gateway.internal.runtime import Runtime

serving._END_SECONDS = 0.5
runtime = Runtime(Path(sys.argv[1]), environment={}, local_password=None)
inner = build_application(runtime)


async def hang():
    await runtime.exclusively(lambda: asyncio.to_thread(threading.Event().wait))


async def application(scope, receive, send):
    async def started(message):
        if message["type"] == "lifespan.startup.complete":
            application.task = asyncio.create_task(hang())
            print("started", flush=True)
        await send(message)

    await inner(scope, receive, started)


sys.exit(serving.serve(application, runtime))
"""


def test_a_gateway_that_hangs_is_cut_off_in_time(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(secured(tmp_path, "port: 0\n"))
    source = Path(__file__).parent.parent / "src"
    command = [sys.executable, "-c", HANGING, str(tmp_path / "config.yaml")]
    with subprocess.Popen(  # noqa: S603 - the command is this test's own
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={"PYTHONPATH": str(source)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=50)
    assert process.returncode == 1
    assert "did not end within 0.5 s of being told to, and is cut off" in errors


def test_a_deadline_that_is_lifted_ends_nothing() -> None:
    deadline = Deadline()
    deadline.set(1000)
    timer = deadline._timer
    assert timer is not None
    deadline.set(1)
    assert deadline._timer is timer
    deadline.lift()
    timer.join(10)
    assert not timer.is_alive()
