"""A gateway whose release is too old for the library: it would end at its start, so nothing is written."""

import json
import sys
from pathlib import Path

import pytest
from aiohttp import web
from click import Command

from extension.cli.plugin import install, remove
from tests.extension.cli.command_line import answering, with_key
from tests.extension.plugin.built_library import library

OWN_PROGRAM = Path(sys.executable).with_name("poolkeeper")


async def commanded(command: Command, folder: Path, version: str, *more: str) -> tuple[int, str]:
    """Run a command for a folder whose gateway, of this release, runs and lists plugins."""

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"plugins_enabled": False, "plugins": []}, headers={"X-CPA-VERSION": version})

    async with answering(answer) as address:
        port = int(address.rpartition(":")[2])
        (folder / "config.yaml").write_text(json.dumps({"port": port}), encoding="utf-8")
        return await with_key(command, "--gateway-dir", str(folder), *more)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.fixture(autouse=True)
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path_factory.mktemp("built") / "library.so"
    path.write_bytes(library())
    monkeypatch.setattr("extension.cli.plugin.native_library", lambda: path)


@pytest.mark.parametrize("version", ["7.1.47", "v7.2.36"])
async def test_a_gateway_that_would_end_at_the_library_is_refused(tmp_path: Path, version: str) -> None:
    code, output = await commanded(install, tmp_path, version, "--program", str(OWN_PROGRAM))

    assert (code, "Plugins need release 7.2.37 or newer" in output) == (2, True), output
    assert names(tmp_path) == ["config.yaml"]


async def test_a_removal_does_not_ask_for_a_release(tmp_path: Path) -> None:
    code, output = await commanded(remove, tmp_path, "7.1.47")

    assert (code, "nothing changed" in output) == (0, True), output
