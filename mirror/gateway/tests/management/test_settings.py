import asyncio
from pathlib import Path

import pytest

from tests.management.serving import HASH, KEY, Served, gateway, secured

DEBUG = "/v0/management/debug"
YAML = "/v0/management/config.yaml"


async def until_debug_is(served: Served, value: bool) -> None:
    """Ask for the debug switch again and again until the answer is the awaited one."""
    async with asyncio.timeout(20):
        while (await served.request("GET", DEBUG)).json != {"debug": value}:
            pass


async def test_debug_shows_one_switch(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, "debug: true\n")) as served:
        assert (await served.request("GET", DEBUG)).body == b'{"debug":true}'


async def test_the_configuration_leaves_out_what_concerns_this_machine(tmp_path: Path) -> None:
    text = secured(tmp_path, 'api-keys: ["client-1"]\nsurprise: kept\nproxy-url: "http://p:1"\n')
    async with gateway(tmp_path, text) as served:
        got = await served.request("GET", "/v0/management/config")
    assert isinstance(got.json, dict)
    assert not {"host", "port", "auth-dir", "remote-management"} & got.json.keys()
    assert (got.json["api-keys"], got.json["surprise"], got.json["proxy-url"]) == (["client-1"], "kept", "http://p:1")
    assert got.json["claude-api-key"] is None
    assert HASH.encode() not in got.body


async def test_config_yaml_comes_as_it_stands(tmp_path: Path) -> None:
    text = secured(tmp_path, "# a comment: ünïcode\ndebug: false\n")
    async with gateway(tmp_path, text) as served:
        got = await served.request("GET", YAML)
    assert got.body.decode() == text
    assert got.headers["content-type"] == "application/yaml; charset=utf-8"
    assert (got.headers["cache-control"], got.headers["x-content-type-options"]) == ("no-store", "nosniff")


async def test_a_missing_config_yaml_is_404(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        (tmp_path / "config.yaml").unlink()
        got = await served.request("GET", YAML)
    assert (got.status, got.json) == (404, {"error": "not_found", "message": "config file not found"})


async def test_config_yaml_is_replaced_and_counts_at_once(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("PUT", YAML, data=secured(tmp_path, "debug: true # on\n").encode())
        debug = await served.request("GET", DEBUG)
    assert (got.status, got.json) == (200, {"changed": ["config"], "ok": True})
    assert debug.json == {"debug": True}
    assert "debug: true # on" in (tmp_path / "config.yaml").read_text()


async def test_a_clear_text_secret_in_the_new_file_is_hashed(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        text = f'auth-dir: "{tmp_path}/auths"\nremote-management:\n  secret-key: "new secret" # mine\n'
        got = await served.request("PUT", YAML, data=text.encode())
        new = await served.request("GET", DEBUG, headers={"X-Management-Key": "new secret"})
        old = await served.request("GET", DEBUG)
    stored = (tmp_path / "config.yaml").read_text()
    assert (got.status, new.status, old.status) == (200, 200, 401)
    assert "new secret" not in stored
    assert "# mine" in stored


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        (b"port: [1, 2\n", 400, "invalid_yaml"),
        (b"\xff\xfe\n", 400, "invalid_yaml"),
        (b"port: many\n", 422, "invalid_config"),
    ],
)
async def test_a_file_that_cannot_be_used_is_refused_and_nothing_is_written(
    tmp_path: Path, text: bytes, status: int, code: str
) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        before = (tmp_path / "config.yaml").read_bytes()
        got = await served.request("PUT", YAML, data=text)
        assert (tmp_path / "config.yaml").read_bytes() == before
    assert isinstance(got.json, dict)
    assert (got.status, got.json["error"]) == (status, code)
    assert got.json["message"]
    assert str(tmp_path) not in got.json["message"]


async def test_a_secret_added_to_the_file_opens_management_and_its_removal_closes_it(tmp_path: Path) -> None:
    bare = f'auth-dir: "{tmp_path}/auths"\n'
    path = tmp_path / "config.yaml"
    async with gateway(tmp_path, bare) as served:
        statuses = []
        for text in (bare, secured(tmp_path), bare):
            path.write_text(text)
            await served.runtime.reload()
            statuses.append((await served.request("GET", DEBUG)).status)
    assert statuses == [404, 200, 404]


async def test_an_invalid_edit_keeps_the_last_good_state_and_a_repair_counts(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    async with gateway(tmp_path, secured(tmp_path, "debug: true\n")) as served:
        answers = []
        for text in ("debug: [\n", secured(tmp_path, "debug: false\n")):
            path.write_text(text)
            await served.runtime.reload()
            answers.append((await served.request("GET", DEBUG)).json)
    assert answers == [{"debug": True}, {"debug": False}]


async def test_a_file_replaced_by_rename_is_noticed_and_so_is_the_next_edit(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    async with gateway(tmp_path, secured(tmp_path), watch=True) as served:
        (tmp_path / "next.yaml").write_text(secured(tmp_path, "debug: true\n"))
        (tmp_path / "next.yaml").replace(path)
        await until_debug_is(served, True)
        path.write_text(secured(tmp_path, "debug: false\n"))
        await until_debug_is(served, False)


async def test_the_environment_secret_keeps_management_open_without_one_in_the_file(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path), environment={"MANAGEMENT_PASSWORD": "env"}) as served:
        await served.request("PUT", YAML, data=f'auth-dir: "{tmp_path}/auths"\n'.encode())
        by_environment = await served.request("GET", DEBUG, headers={"X-Management-Key": "env"})
        by_file = await served.request("GET", DEBUG, headers={"X-Management-Key": KEY})
    assert (by_environment.status, by_file.status) == (200, 401)
