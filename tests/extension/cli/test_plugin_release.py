"""A gateway whose release is too old for the library: it would end at its start, so nothing is written."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from aiohttp import web
from click.testing import CliRunner, Result

from extension.cli.plugin import install, remove
from tests.extension.plugin.built_library import library

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")


async def commanded(command: object, folder: Path, version: str, *more: str) -> Result:
    """Run a command for a folder whose gateway, of this release, runs and lists plugins."""

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"plugins_enabled": False, "plugins": []}, headers={"X-CPA-VERSION": version})

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        port = runner.addresses[0][1]
        (folder / "config.yaml").write_text(json.dumps({"port": port}), encoding="utf-8")
        cli = CliRunner(env={"POOLKEEPER_MANAGEMENT_KEY": "k"})
        return await asyncio.to_thread(cli.invoke, command, ["--gateway-dir", str(folder), *more])  # type: ignore[arg-type]
    finally:
        await runner.cleanup()


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.fixture(autouse=True)
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path_factory.mktemp("built") / "library.so"
    path.write_bytes(library())
    monkeypatch.setattr("extension.cli.plugin.native_library", lambda: path)


@pytest.mark.parametrize("version", ["7.1.47", "v7.2.36"])
async def test_a_gateway_that_would_end_at_the_library_is_refused(tmp_path: Path, version: str) -> None:
    result = await commanded(install, tmp_path, version, "--program", str(OWN_PROGRAM))

    said = " ".join(result.output.split())
    assert (result.exit_code, "Plugins need release 7.2.37 or newer" in said) == (2, True), said
    assert names(tmp_path) == ["config.yaml"]


async def test_a_removal_does_not_ask_for_a_release(tmp_path: Path) -> None:
    result = await commanded(remove, tmp_path, "7.1.47")

    assert (result.exit_code, "nothing changed" in result.output) == (0, True), result.output
