"""GET /config, and config.yaml as a whole."""

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pools import KINDS
from tests.conformance.stock import ask, profiled, stock
from tests.disk import Disk
from tests.management.serving import AUTHORISED, HASH

DEBUG = "GET debug"


async def test_the_live_configuration_is_shown_flat_with_its_secrets_but_not_what_concerns_this_machine(
    tmp_path: Path,
) -> None:
    text = f'{KINDS}api-keys: ["client-1"]\nproxy-url: "http://p:1"\nquota-exceeded: {{switch-project: true}}\n'
    async with stock(tmp_path, text) as served:
        got: Any = await ask(served, "GET config")
    assert not {"host", "port", "auth-dir", "remote-management", "home"} & got.json.keys()
    assert (got.json["api-keys"], got.json["proxy-url"]) == (["client-1"], "http://p:1")
    assert got.json["quota-exceeded"]["switch-project"] is True
    assert got.json["claude-api-key"][0]["api-key"] == "sk-test"
    assert b"auth-index" not in got.body
    assert HASH.encode() not in got.body


async def test_of_a_plugin_its_switch_and_priority_are_shown(tmp_path: Path) -> None:
    rest = "plugins: {configs: {mine: {enabled: true, priority: 3, secret: s}, other: {x: 1}}}\n"
    async with stock(tmp_path, rest) as served:
        got: Any = (await ask(served, "GET config")).json
        listed: Any = (await ask(served, "GET plugins")).json
        assert "secret: s" in served.runtime.config_path.read_text()
    configs = {"mine": {"enabled": True, "priority": 3}, "other": {}}
    assert got["plugins"] == {"enabled": False, "dir": "plugins", "configs": configs}
    assert [plugin["enabled"] for plugin in listed["plugins"]] == [True, False]


async def test_config_yaml_comes_as_it_stands(tmp_path: Path) -> None:
    async with stock(tmp_path, "# a comment: ünïcode\ndebug: false\n") as served:
        got = await ask(served, "GET config.yaml")
        assert got.body == served.runtime.config_path.read_bytes()
    assert got.headers["content-type"] == "application/yaml; charset=utf-8"
    assert (got.headers["cache-control"], got.headers["x-content-type-options"]) == ("no-store", "nosniff")


async def test_a_missing_config_yaml_is_404(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        (tmp_path / "config.yaml").unlink()
        got = await ask(served, "GET config.yaml")
    assert (got.status, got.json) == (404, {"error": "not_found", "message": "config file not found"})


@pytest.mark.parametrize("kind", ["application/yaml", "text/plain", "application/json", "image/png"])
async def test_config_yaml_is_replaced_and_counts_at_once(tmp_path: Path, kind: str) -> None:
    async with stock(tmp_path) as served:
        text = profiled(tmp_path, "debug: true # on\n")
        got = await ask(served, "PUT config.yaml", raw=text.encode(), headers=AUTHORISED | {"Content-Type": kind})
        assert (await ask(served, DEBUG)).json == {"debug": True}
        assert served.runtime.config_path.read_text() == text
    assert (got.status, got.json) == (200, {"changed": ["config"], "ok": True})


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        (b"port: [1, 2\n", 400, "invalid_yaml"),
        (b"\xff\xfe\n", 400, "invalid_yaml"),
        (b"port: many\n", 400, "invalid_yaml"),
        (b"claude-api-key: [{api-key: a, weight: x}]\n", 400, "invalid_yaml"),
        (b"api-keys: {a: b}\n", 400, "invalid_yaml"),
        (b"- a\n", 400, "invalid_yaml"),
        (b"claude-api-key: [{api-key: a, weight: 1000001}]\n", 422, "invalid_config"),
        (b"claude-api-key: [{api-key: a, weight: 1.5}]\n", 422, "invalid_config"),
        (b"plugins: {configs: {a: {enabled: maybe}}}\n", 400, "invalid_yaml"),
        (b"plugins: {configs: {a: {priority: high}}}\n", 400, "invalid_yaml"),
        (b"remote-management: {secret-key: " + b"x" * 73 + b"}\n", 422, "invalid_config"),
    ],
)
async def test_a_file_that_cannot_be_used_is_refused_and_nothing_is_written(
    tmp_path: Path, text: bytes, status: int, code: str
) -> None:
    async with stock(tmp_path) as served:
        before = served.runtime.config_path.read_bytes()
        got: Any = await ask(served, "PUT config.yaml", raw=text)
        assert served.runtime.config_path.read_bytes() == before
        assert (await ask(served, DEBUG)).status == 200
    assert (got.status, got.json["error"]) == (status, code)
    assert got.json["message"]
    assert str(tmp_path) not in got.json["message"]


async def test_a_disk_that_takes_nothing_is_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stock(tmp_path) as served:
        text = served.runtime.config_path.read_text()
        disk = Disk({str(served.runtime.config_path): text.encode()})
        disk.closed = {tmp_path, Path.home() / ".cli-proxy-api"}
        monkeypatch.setattr(served.runtime._store, "_files", disk)
        monkeypatch.setattr(served.runtime._store, "_writer", type(served.runtime._store._writer)(disk))
        got: Any = await ask(served, "PUT config.yaml", raw=b"debug: true\n")
        assert served.runtime.config_path.read_text() == text
    assert (got.status, got.json["error"]) == (500, "write_failed")
