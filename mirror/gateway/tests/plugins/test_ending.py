"""The end of a gateway with a plugin: open streams end with it at once."""

import os
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

from tests.plugins.test_host import BELOW, ROOT, SAMPLE, configured

SOON = 2.0
"""Seconds that are well below the ten for requests under way."""


def opened(port: int, path: str) -> HTTPConnection:
    """Open the stream, as soon as the plugin runs, and read its first event."""
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path, headers={"Authorization": "Bearer mgmt-secret", "Accept": "text/event-stream"})
        answer = connection.getresponse()
        if answer.status == 200:
            assert [answer.readline() for _ in range(2)] == [b"data: 0\n", b"\n"]
            connection.answer = answer  # type: ignore[attr-defined]
            return connection
        connection.close()
        time.sleep(0.05)


def test_a_gateway_ends_at_once_and_without_a_traceback_while_a_stream_of_a_plugin_is_open(tmp_path: Path) -> None:
    quiet = ["sh", "-c", 'exec "$0" "$1" 2>/dev/null', sys.executable, str(SAMPLE)]  # gRPC reports each canceled call
    text = configured(tmp_path, quiet) + "port: 0\n"
    (tmp_path / "config.yaml").write_text(text)
    command = [sys.executable, "-m", "gateway", "--config", str(tmp_path / "config.yaml")]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    with subprocess.Popen(  # noqa: S603 - the command is this test's own
        command, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path
    ) as process:
        assert process.stderr is not None
        lines = [""]
        while "listening" not in lines[-1]:
            lines.append(process.stderr.readline())
            assert lines[-1], f"the gateway did not start: {lines}"
        connection = opened(int(lines[-1].strip().rpartition(":")[2]), f"{BELOW}/stream")
        asked = time.monotonic()
        process.send_signal(signal.SIGTERM)
        rest = b"\n\n" + connection.answer.read()  # type: ignore[attr-defined]
        _, errors = process.communicate(timeout=50)
        took = time.monotonic() - asked
        connection.close()
    assert process.returncode == 0
    assert rest.endswith(b"\n\n"), "the stream ends in order, after a whole event"
    assert "Traceback" not in errors
    assert took < SOON
