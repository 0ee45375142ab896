"""A process that does not serve, and what its gateway says: a hanging program, a wrong key, a stream, a frame."""

import json
import re
import sys
from typing import Any

import pytest

from adapter.contract.expectations import own
from extension.plugin.routes import files_path
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import INFO, KEY, PAGE, PluginGateway, until

pytestmark = pytest.mark.timeout(300)
BASE = "/v0/resource/plugins/poolkeeper"
SERVE = [sys.executable, "-m", "extension", "plugin", "serve"]


async def told(gateway: PluginGateway, path: str = INFO, **headers: str) -> tuple[int, dict[str, Any]]:
    status, body, _ = await gateway.ask(path, headers={"Accept-Encoding": "identity", **headers})
    return status, json.loads(body)


async def test_a_program_that_hangs_is_said_not_to_answer(make: Make) -> None:
    gateway = make(settings={"command": ["/bin/sleep", "600"]})
    await gateway.start()
    assert "its process starts" in (await told(gateway))[1]["error"]

    async def silent() -> bool:
        return "does not answer" in (await told(gateway))[1]["error"]

    await until(silent, 30)
    error = (await told(gateway))[1]["error"]
    assert re.search(r"does not answer for 1\d s: .* which is /bin/sleep", error), error
    _, page, _ = await gateway.ask(PAGE, key=False)
    assert b"does not answer for 1" in page
    assert (b"plugins.configs.poolkeeper.command" in page, b"sleep" in page) == (True, False), page

    async def ended() -> bool:
        return "sent no handshake within 60 s; it is ended and started again" in (await told(gateway))[1]["error"]

    await until(ended, 80)


async def test_a_wrong_key_is_sent_once_and_the_corrected_one_opens_the_service(make: Make) -> None:
    gateway = make(settings={"command": SERVE, "management-key-file": "key"})
    key = gateway.folder / "key"
    key.write_text("wrong-key-1234567890")
    key.chmod(0o600)
    await gateway.start()

    async def refused() -> bool:
        return bool((await told(gateway))[1].get("code") == "not_open")

    await until(refused, 60)
    error = (await told(gateway))[1]
    assert "refuses the management key" in error["error"]
    assert str(key) in error["hint"]

    key.write_text(KEY)
    await gateway.ready(60)
    status, answer = await told(gateway, own("inspections/events"), Accept="text/event-stream")
    assert (status, answer["code"]) == (406, "no_stream")


async def test_a_sandboxed_frame_gets_the_script_that_explains_it(make: Make) -> None:
    gateway = make(settings={"command": SERVE})
    await gateway.open(60)
    status, _, headers = await gateway.ask(f"{files_path(BASE)}/app/app.js", key=False)
    assert (status, headers["Cross-Origin-Resource-Policy"]) == (200, "cross-origin")
    headers = (await gateway.ask(f"{files_path(BASE)}/app/shared.js", key=False))[2]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
