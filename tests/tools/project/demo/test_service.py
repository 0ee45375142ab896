import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tools.mirror.errors import ToolError
from tools.project.demo.folder import DemoFolder, open_folder
from tools.project.demo.providers import start_providers
from tools.project.demo.service import serve_demo, serve_providers, service_command

PAGED = """
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/monitor/inspection" else 404)
        self.end_headers()
    def log_message(self, *_):
        pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""


@pytest.fixture
def folder(tmp_path: Path) -> DemoFolder:
    return open_folder(tmp_path)


class Say:
    """Notes what is printed and presses Ctrl-C at once."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def __call__(self, text: str) -> None:
        self.lines.append(text)
        os.kill(os.getpid(), signal.SIGINT)


def quiet(_text: str) -> None:
    """Print nothing."""


def test_the_service_is_started_on_the_demo_configuration(folder: DemoFolder) -> None:
    command = (sys.executable, "-m", "extension", "serve", "--config", str(folder.config))
    assert service_command(folder) == (*command, "--log-level", "warning"), "requests are not logged"


async def test_address_and_key_are_printed_once_the_service_answers_and_ctrl_c_stops_it(folder: DemoFolder) -> None:
    lines: list[str] = []

    await serve_demo(folder, [sys.executable, "-c", PAGED, str(folder.gateway_port)], Say(lines))

    *_, address, key = lines[-1].splitlines()
    assert address.endswith(folder.page)
    assert key.endswith(folder.management_key)
    with pytest.raises(OSError, match="Connect"):
        await asyncio.open_connection("127.0.0.1", folder.gateway_port)


async def test_a_service_that_ends_by_itself_is_reported(folder: DemoFolder) -> None:
    with pytest.raises(ToolError, match="exit status 3"):
        await serve_demo(folder, [sys.executable, "-c", "raise SystemExit(3)"], quiet)


async def test_the_stand_in_alone_serves_until_ctrl_c(folder: DemoFolder) -> None:
    lines: list[str] = []

    await serve_providers(folder, Say(lines))

    assert str(folder.providers_port) in lines[0]


async def test_a_port_in_use_is_one_line_and_what_to_do(folder: DemoFolder) -> None:
    async with start_providers(folder.providers_port):
        with pytest.raises(ToolError, match=f"port {folder.providers_port}") as refused:
            await serve_providers(folder, quiet)

    assert str(folder.path) in refused.value.hint
