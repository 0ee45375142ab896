"""`poolkeeper inspect` and `doctor` in front of a gateway elsewhere, as commands; the gateway is a stand-in."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest
import structlog
from click.testing import CliRunner, Result

from adapter.privacy.secret import Secret
from extension.cli.program import poolkeeper
from extension.serving.errors import NotStarted, SettingInvalid
from extension.serving.remote import remote_application
from extension.serving.remote_gateway import RemoteGateway, remote_folder
from extension.serving.server import authority_of, listen
from extension.serving.service_file import RunningService, announce
from tests.adapter.management.indexes import index_of
from tests.adapter.management.served import served
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude, standing

CONFIG = {"host": "", "api-keys": [], "remote-management": {"allow-remote": True}}


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Commands configure the logs of their process, which is this one."""
    config, root = structlog.get_config(), logging.getLogger()
    handlers = list(root.handlers)
    yield
    structlog.configure(**config)
    root.handlers = handlers


@pytest.fixture
async def stand_in() -> StandIn:
    gateway = StandIn()
    gateway.sections["claude-api-key"] = [claude(1), claude(2)]
    gateway.reload()
    return gateway


@pytest.fixture
async def place(stand_in: StandIn) -> AsyncIterator[Place]:
    async with standing(stand_in) as listening:
        yield listening


async def _run(*arguments: str, key: str = KEY) -> Result:
    """Run a command in a thread of its own, while the stand-in answers here."""
    environment = {"POOLKEEPER_MANAGEMENT_KEY": key, "POOLKEEPER_LOG_LEVEL": "error", "COLUMNS": "200"}
    return await asyncio.to_thread(CliRunner().invoke, poolkeeper, [*arguments], env=environment)


async def test_inspect_does_the_work_itself_and_prints_what_it_found(
    stand_in: StandIn, place: Place, tmp_path: Path
) -> None:
    arguments = ("inspect", "--gateway", place.address, "--data-dir", str(tmp_path / "data"))
    result = await _run(*arguments, "--account-source", "api_key", "--json")
    assert result.exit_code == 1, result.output
    inspection = json.loads(result.stdout)
    assert inspection["run"]["state"] == "finished"
    assert [row["verdict"] for row in inspection["results"]] == ["invalid_key", "invalid_key"]
    assert {answer["auth_index"] for answer in stand_in.answers} == {index_of(f"sk-claude-0000{n}") for n in (1, 2)}
    assert stand_in.wrote() == []
    assert not (tmp_path / "data" / "service.json").exists()


async def test_every_verb_works_from_the_same_data_folder_without_a_service(
    stand_in: StandIn, place: Place, tmp_path: Path
) -> None:
    gateway = ("--gateway", place.address, "--data-dir", str(tmp_path / "data"))
    await _run("inspect", *gateway, "--family", "claude", "--no-brake", "--json")
    listed = json.loads((await _run("run", "list", *gateway, "--json")).stdout)["runs"]
    assert [(run["id"], run["state"]) for run in listed] == [(1, "finished")]
    assert "Run 1 finished: 2 of 2 accounts; 2 disable." in (await _run("run", "show", *gateway)).stdout
    planned = await _run("run", "apply", "1", "--dry-run", *gateway)
    assert "disable: 2 changes, 0 on hold." in planned.stdout
    assert stand_in.wrote() == []
    done = json.loads((await _run("run", "apply", "1", "--json", *gateway)).stdout)["actions"]
    assert [action["outcome"] for action in done] == ["applied", "applied"]
    assert "2 accounts, 2 disabled." in (await _run("account", "list", *gateway)).stdout
    undone = await _run("action", "undo", str(done[0]["id"]), *gateway)
    assert (undone.exit_code, "1 action: 1 done." in undone.stdout) == (0, True)
    reverted = await _run("run", "undo", "1", *gateway)
    assert (reverted.exit_code, "1 action: 1 done." in reverted.stdout) == (0, True)
    history = json.loads((await _run("action", "list", *gateway, "--json")).stdout)["actions"]
    assert [action["action"] for action in history] == ["enable", "enable", "disable", "disable"]
    assert len((await _run("run", "export", "1", *gateway)).stdout.splitlines()) == 3
    assert "no earlier run" in (await _run("run", "diff", "1", *gateway)).stdout
    assert "nothing on hold" in (await _run("run", "release", "1", *gateway)).stdout


async def test_a_temporary_service_starts_no_scheduled_inspection(place: Place, tmp_path: Path) -> None:
    gateway = ("--gateway", place.address, "--data-dir", str(tmp_path / "data"))
    added = await _run("schedule", "add", "often", "--every", "1m", "--family", "claude", *gateway)
    assert "Schedules start only while a service runs" in added.stderr
    with closing(sqlite3.connect(tmp_path / "data" / "poolkeeper.db")) as database:
        database.execute("UPDATE schedules SET next_at = 1")
        database.commit()

    schedules = json.loads((await _run("schedule", "list", "--json", *gateway)).stdout)["schedules"]
    assert [(schedule["nextAt"], schedule["lastAt"]) for schedule in schedules] == [(1, None)]
    assert json.loads((await _run("run", "list", "--json", *gateway)).stdout) == {"runs": []}


async def test_a_gateway_and_a_server_at_once_are_refused() -> None:
    refused = await _run("run", "list", "--gateway", "http://127.0.0.1:9", "--server", "http://127.0.0.1:9")
    assert (refused.exit_code, "--gateway and --server contradict each other" in refused.stderr) == (2, True)


@pytest.mark.parametrize(("command", "status"), [("inspect", 2), ("serve", 1)])
async def test_a_refused_key_is_shown_once_and_told_in_a_line(
    stand_in: StandIn, place: Place, tmp_path: Path, command: str, status: int
) -> None:
    listen_at = ("--listen", "127.0.0.1:0") if command == "serve" else ()
    arguments = (command, "--gateway", place.address, "--data-dir", str(tmp_path / "data"), *listen_at)
    result = await _run(*arguments, key="wrong")
    assert (result.exit_code, "refuses the management key" in result.stderr) == (status, True)
    assert stand_in.failures == 1


async def test_doctor_changes_nothing_and_says_what_works_and_what_to_improve(stand_in: StandIn, place: Place) -> None:
    stand_in.text = json.dumps(CONFIG)
    screen = await _run("doctor", "--gateway", place.address)
    assert "allows management from anywhere" in screen.stdout
    assert len(screen.stdout.splitlines()) < 30
    assert KEY not in screen.output
    stand_in.requests.clear()
    result = await _run("doctor", "--gateway", place.address, "--json")
    assert result.exit_code == 1, result.output
    report = json.loads(result.stdout)
    assert report["gateway"]["version"] == "7.2.140"
    assert report["pool"] == {"accounts": 2, "enabled": 2, "files": 0, "skipped": 0}
    by_path = {endpoint["path"].rpartition("management/")[2]: endpoint["finding"] for endpoint in report["endpoints"]}
    assert len(by_path) == 13
    assert by_path["claude-api-key"] == "works"
    assert by_path["proxy-url"] == "missing"
    assert by_path["usage-queue"] == by_path["auth-files/status"] == "works"
    assert [hint["code"] for hint in report["hints"]] == ["no_usage", "open_binding", "open_inference"]
    assert stand_in.wrote() == ["PATCH /v0/management/auth-files/status"]
    assert stand_in.popped == 0
    assert report["lacks"] == []


async def test_doctor_of_an_old_gateway_says_what_later_ones_have(stand_in: StandIn, place: Place) -> None:
    stand_in.version = {"X-CPA-VERSION": "6.9.9"}
    result = await _run("doctor", "--gateway", place.address)
    assert "This version has not yet: a health path without a key (since v6.9.10), auth-index in" in result.stdout
    assert "status changes of configuration keys by id (since v7.2.5)" in result.stdout


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:70000", ":8318"])
def test_what_cannot_be_listened_at_is_refused(address: str) -> None:
    with pytest.raises(SettingInvalid, match="does not look like"):
        listen(address)


def test_an_address_that_is_taken_is_told_so() -> None:
    with listen("127.0.0.1:0") as taken, pytest.raises(NotStarted, match="Choose another with --listen"):
        listen(authority_of(taken))


def test_each_gateway_has_a_data_folder_of_its_own() -> None:
    environment = {"XDG_STATE_HOME": "/state"}
    own_folder, other = (remote_folder(environment, f"http://gateway:{port}") for port in (8317, 8318))
    assert own_folder == Path("/state/poolkeeper/gateway-8317")
    assert own_folder != other


async def test_inspect_uses_a_service_that_runs_for_the_gateway_already(place: Place, tmp_path: Path) -> None:
    from extension.store.data_folder import DataFolder

    with DataFolder.open(tmp_path / "data") as folder:
        announce(folder.path, RunningService("http://127.0.0.1:1", "poolkeeper", 1, place.address))
        result = await _run("inspect", "--gateway", place.address, "--data-dir", str(folder.path))
    assert result.exit_code == 2
    assert "The service at http://127.0.0.1:1 does not answer" in result.stderr


async def test_inspect_never_asks_a_service_that_is_in_front_of_another_gateway(
    stand_in: StandIn, place: Place, tmp_path: Path
) -> None:
    remote = RemoteGateway(place.address, Secret(KEY))
    environment = {"POOLKEEPER_DATA_DIR": str(tmp_path / "data"), "POOLKEEPER_LOG_LEVEL": "error"}
    async with served(remote_application(remote, environment, "127.0.0.1:1")):
        result = await _run("inspect", "--gateway", "http://127.0.0.1:9", "--data-dir", str(tmp_path / "data"))
    assert result.exit_code == 2
    assert "which is not in front of http://127.0.0.1:9. Name another folder with --data-dir" in " ".join(
        result.stderr.split()
    )
    assert [line for line in stand_in.requests if "api-call" in line] == []
    readings = [line for line in stand_in.requests if line.endswith("/auth-files")]
    assert len(readings) <= 1, "the service reads its pool once when it starts; nobody asked it for another reading"


async def test_the_pages_session_is_good_for_our_paths_and_not_for_the_gateways(
    stand_in: StandIn, place: Place, tmp_path: Path
) -> None:
    remote = RemoteGateway(place.address, Secret(KEY))
    environment = {"POOLKEEPER_DATA_DIR": str(tmp_path / "data"), "POOLKEEPER_LOG_LEVEL": "error"}
    own = "/v0/management/poolkeeper"
    jar = aiohttp.CookieJar(unsafe=True)
    application = remote_application(remote, environment, "127.0.0.1:1")
    async with served(application) as address, aiohttp.ClientSession(address, cookie_jar=jar) as browser:
        async with browser.get("/monitor/inspection") as page:
            assert page.status == 200
        async with browser.post(f"{own}/info/session", json={"key": "a typing mistake"}) as refused:
            assert refused.status == 401
        async with browser.post(f"{own}/info/session", json={"key": KEY}) as opened:
            assert opened.status == 200
        async with browser.get(f"{own}/config") as answer:
            assert answer.status == 200
            assert KEY not in await answer.text()
        assert not [line for line in stand_in.requests if "poolkeeper" in line]
        async with browser.get(f"{own}/pool?source=api_key") as answer:
            assert (await answer.json())["statistics"] == {"total": 2, "enabled": 2, "disabled": 0}
        async with browser.get("/v0/management/debug") as answer:
            assert answer.status == 401
        async with browser.get("/v0/management/debug", headers={"X-Management-Key": KEY}) as answer:
            assert await answer.json() == {"debug": False}
        async with browser.get(f"{own}/nobody-knows", headers={"X-Management-Key": KEY}) as answer:
            assert (answer.status, (await answer.json())["code"]) == (404, "not_found")
    assert stand_in.failures == 0
