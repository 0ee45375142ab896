"""The documented way: from the built wheel to the first key disabled in the page, inside the gateway's own panel."""

import asyncio
import os
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web
from playwright.async_api import FrameLocator, Page, async_playwright, expect

from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.conftest import LAUNCH
from tests.repository.documents.texts import fenced
from tests.repository.tracked import text_of
from tests.stock.plugin.conftest import Make
from tests.stock.plugin.stock import KEY, PAGE, PluginGateway
from tests.stock.table import FIGURE
from tests.system.wheels import built_wheels, linked_libraries

pytestmark = pytest.mark.timeout(300)
DEAD = "sk-relay-dead-00000000000001"
LIVE = "sk-relay-live-00000000000002"
PANEL = f'<!doctype html><title>Panel</title><iframe src="{PAGE}" width="1300" height="800"></iframe>'
EXPECTED = {"relay-live": "Healthy", "relay-dead": "Invalid key"}


@pytest.fixture
async def provider() -> AsyncIterator[str]:
    """A provider that knows one of the two keys."""

    async def answer(request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {LIVE}":
            return web.json_response({"error": {"message": "Incorrect API key provided"}}, status=401)
        return web.json_response({"object": "list", "data": []})

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


def documented() -> tuple[str, str, str, str]:
    """Return the documented commands that build, install, enable and ask; the library is compiled already."""
    section = text_of("docs/plugin.md").partition("## In a stock gateway")[2].partition("\n## ")[0]
    (block,) = fenced(section, "sh")
    _, build, environment, install, key, enable, ask = block.splitlines()
    return build, f"{environment}\n{install}", f"{key}\n{enable}", ask


@dataclass(frozen=True)
class Operator:
    """Types the commands of the document in a clone, with the folders of this test for the documented ones."""

    gateway: PluginGateway
    clone: Path
    opt: Path

    async def types(self, block: str) -> str:
        """Run a block with `sh`; return its output."""
        places = {
            "/opt/poolkeeper": str(self.opt),
            "/srv/gateway": str(self.gateway.folder),
            "http://127.0.0.1:8317": self.gateway.address,
            "KEY=…": "KEY=" + shlex.quote(KEY),
        }
        for documented_place, place in places.items():
            block = block.replace(documented_place, place)
        offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INPUT": "1"}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        process = await asyncio.create_subprocess_exec(
            "sh", "-ec", block, cwd=self.clone,
            env={**self.gateway.environment, **offline, "PATH": path, "POOLKEEPER_MANAGEMENT_KEY": KEY},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        output, _ = await process.communicate()
        assert process.returncode == 0, f"{block}\n{output.decode()}"
        return output.decode()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    built_wheels(tmp_path / "sources")
    return tmp_path / "sources" / "poolkeeper"


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    executable = find_chromium(os.environ)
    assert executable is not None, ADVICE
    expect.set_options(timeout=30_000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=LAUNCH)
        yield await browser.new_page()
        await browser.close()


def fill(gateway: PluginGateway, provider: str) -> None:
    """Give the gateway two keys, and a panel that needs no download."""
    values = yaml.safe_load(gateway.config.read_text("utf-8"))
    values["remote-management"] = {"disable-control-panel": False, "disable-auto-update-panel": True}
    values["openai-compatibility"] = [
        {"name": name, "base-url": provider, "api-key-entries": [{"api-key": key}], "models": []}
        for name, key in (("relay-live", LIVE), ("relay-dead", DEAD))
    ]
    gateway.config.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    (gateway.folder / "static").mkdir()
    (gateway.folder / "static" / "management.html").write_text(PANEL, encoding="utf-8")


def disabled(gateway: PluginGateway) -> dict[str, bool]:
    entries: list[dict[str, Any]] = yaml.safe_load(gateway.config.read_text("utf-8"))["openai-compatibility"]
    return {entry["name"]: bool(entry.get("disabled")) for entry in entries}


async def inspected(frame: FrameLocator) -> None:
    """Sign in, show the keys, run an inspection."""
    await frame.get_by_label("Management key").fill(KEY)
    await frame.get_by_role("button", name="Sign in").click()
    await frame.get_by_role("button", name="API keys").click()
    await expect(frame.get_by_role("row", name="relay-dead")).to_be_visible()
    await frame.get_by_role("button", name="Check now").click()
    await frame.get_by_role("button", name="Start").click()
    await expect(frame.get_by_role("dialog")).to_have_count(0)
    await expect(frame.get_by_role("region", name="Recommended changes")).to_be_visible()


async def test_from_the_wheel_to_the_first_disabled_key_in_the_panel(
    make: Make, provider: str, clone: Path, page: Page, record_property: Callable[[str, object], None]
) -> None:
    gateway = make(None)
    fill(gateway, provider)
    operator = Operator(gateway, clone, clone.parent / "opt")
    build, install, enable, ask = documented()
    await operator.types(build)
    await operator.types(install)
    (site,) = operator.opt.glob("lib/*/site-packages")
    (site / "libraries.pth").write_text(f"{linked_libraries(clone.parent / 'libraries')}\n", encoding="utf-8")
    await gateway.start()

    await operator.types(enable)
    taken = await gateway.ready(90)
    record_property(FIGURE, f"installed from the wheel: the service answers through the gateway after {taken:.1f} s")
    assert "The plugin is in effect." in await operator.types(ask)

    await page.goto(f"{gateway.address}/management.html")
    frame = page.frame_locator("iframe")
    await inspected(frame)
    for name, verdict in EXPECTED.items():
        await expect(frame.get_by_role("row", name=name)).to_contain_text(verdict)
    await frame.get_by_role("row", name="relay-dead").get_by_role("button", name="Disable").click()
    await frame.get_by_role("dialog").get_by_role("button", name="Disable").click()
    await expect(frame.locator(".notice")).to_contain_text("Disabled (verified).")
    await expect(frame.get_by_role("row", name="relay-dead").get_by_role("switch")).not_to_be_checked()

    assert disabled(gateway) == {"relay-live": False, "relay-dead": True}
    for secret in (KEY, DEAD, LIVE):
        assert secret not in gateway.log.read_text("utf-8", "replace")
