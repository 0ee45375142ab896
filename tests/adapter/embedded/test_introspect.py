from __future__ import annotations

import json
import socket

import pytest

from adapter.contract.expectations import KEYS
from adapter.embedded.introspect import introspect, keys_read, main, registered


@pytest.fixture(autouse=True)
def no_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever listens or connects fails the test."""

    def refuse(*_: object) -> None:
        raise AssertionError("introspection opened a connection")

    monkeypatch.setattr(socket.socket, "listen", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


async def test_with_a_secret_the_management_routes_are_there() -> None:
    description = await introspect("a secret")

    assert {"method": "GET", "path": "/v0/management/auth-files"} in description["routes"]
    assert {"method": "GET", "path": "/healthz"} in description["routes"]
    assert description["routes"] == sorted(description["routes"], key=lambda route: (route["method"], route["path"]))


async def test_without_a_secret_only_the_base_routes_are() -> None:
    paths = [route["path"] for route in (await introspect(""))["routes"]]

    assert "/healthz" in paths
    assert not [path for path in paths if path.startswith("/v0/management")]


def test_the_keys_are_those_the_loader_asks_for_at_every_depth() -> None:
    keys = set(keys_read())

    assert {key.path for key in KEYS} <= keys
    assert {"gemini-api-key[].api-key", "openai-compatibility[].api-key-entries[].api-key"} <= keys
    assert "plugins.configs.*.enabled" in keys


def test_routes_below_a_mounted_table_have_their_full_path() -> None:
    class Inner:
        path, methods, routes = "/leaf", frozenset({"GET"}), None

    class Mount:
        path, routes = "/above", (Inner(),)

    assert list(registered([Mount()])) == [("GET", "/above/leaf")]


def test_standard_output_holds_the_json_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0

    assert json.loads(capsys.readouterr().out)["schema"] == 1
