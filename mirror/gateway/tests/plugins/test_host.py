"""Plugins as real processes behind a served gateway."""
# ruff: noqa: ASYNC110, ASYNC240 - there is no event for what another process does

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway.internal.plugins import answering, keeper, process
from tests.management.serving import AUTHORISED, Answer, Served, gateway, secured

SAMPLE = Path(__file__).with_name("sample.py")
ROOT = Path(__file__).parents[2]
BELOW = "/v0/management/sample"


def configured(folder: Path, command: Sequence[str], *, enabled: bool = True, more: str = "") -> str:
    return secured(
        folder,
        "plugins:\n  enabled: true\n  configs:\n    sample:\n"
        f"      enabled: {'true' if enabled else 'false'}\n      command: {json.dumps(list(command))}\n{more}",
    )


@asynccontextmanager
async def with_plugin(folder: Path, *arguments: str, command: Sequence[str] = ()) -> AsyncIterator[Served]:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
        "MANAGEMENT_PASSWORD": "the-gateways-own",
        "SAMPLE_SETTING": "its-own",
        "OTHER_SECRET": "of-somebody-else",
    }
    run = command or (sys.executable, str(SAMPLE), *arguments)
    async with gateway(folder, configured(folder, run), environment=environment) as served:
        yield served


async def ready(served: Served, *, status: int = 200) -> Answer:
    async with asyncio.timeout(45):
        while (answer := await served.request("GET", f"{BELOW}/info")).status != status:
            await asyncio.sleep(0.02)
    return answer


def body(answer: Answer) -> dict[str, object]:
    assert isinstance(answer.json, dict)
    return answer.json


async def test_a_plugin_answers_its_paths_behind_the_key_and_its_pages_without(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        starting = await served.request("GET", f"{BELOW}/info")
        assert (starting.status, body(starting)["code"], starting.headers["retry-after"]) == (503, "starting", "1")
        await ready(served)

        answer = await served.request("POST", f"{BELOW}/echo?a=1&a=2", data=b"hello")
        seen = body(answer)
        assert (seen["method"], seen["query"], seen["body"], seen["access"]) == ("POST", "a=1&a=2", 5, 1)
        assert "authorization" not in str(seen["headers"]).lower()
        assert str(seen["remote"]).startswith("127.0.0.1:")
        assert (await served.request("GET", f"{BELOW}/info", headers={})).status == 401
        assert (await served.request("DELETE", f"{BELOW}/info")).status == 404
        assert (await served.request("GET", f"{BELOW}/other")).status == 404
        page = await served.request("GET", "/monitor/sample", headers={})
        assert (page.status, body(page)["access"]) == (200, 2)


async def test_a_route_where_its_access_does_not_allow_it_is_not_served(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        await ready(served)

        assert (await served.request("GET", "/monitor/guarded")).status == 404
        assert (await served.request("GET", f"{BELOW}/open")).status == 404
        assert body(await served.request("GET", "/healthz")) == {"status": "ok"}


async def test_a_plugin_gets_an_environment_without_the_gateways_secrets(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        environment = body(await ready(served))["environment"]

        assert isinstance(environment, dict)
        assert environment["SAMPLE_SETTING"] == "its-own"
        assert not {"MANAGEMENT_PASSWORD", "OTHER_SECRET"} & environment.keys()
        folder = Path(environment["PLUGIN_UNIX_SOCKET_DIR"])
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()


async def test_a_killed_plugin_is_started_again_and_the_gateway_goes_on(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        number = body(await ready(served))["process"]
        for _ in range(3):
            os.kill(int(str(number)), signal.SIGKILL)
            while (again := body(await ready(served)).get("process")) == number:
                await asyncio.sleep(0.01)
            number = again
            assert (await served.request("GET", "/healthz")).status == 200

        crashed = await served.request("GET", f"{BELOW}/crash")
        assert (crashed.status, body(crashed)["code"]) == (503, "plugin_down")
        await ready(served)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [(["exit"], "ended with status 3"), (["garbage"], "no handshake"), (["old", "0"], "speaks version 1|0")],
)
async def test_a_plugin_that_is_of_no_use_is_reported_and_stops_nothing(
    tmp_path: Path, arguments: list[str], problem: str
) -> None:
    async with with_plugin(tmp_path, *arguments) as served, asyncio.timeout(45):
        while problem not in str((answer := await served.request("GET", f"{BELOW}/info")).json):
            assert answer.status == 503
            await asyncio.sleep(0.02)
        assert (await served.request("GET", "/healthz")).status == 200


async def message(served: Served, words: str) -> dict[str, object]:
    """Ask the plugin until it answers with these words, and return the answer."""
    async with asyncio.timeout(20):
        while words not in str((answer := body(await served.request("GET", f"{BELOW}/info"))).get("error")):
            await asyncio.sleep(0.02)
    return answer


async def test_a_program_that_is_missing_is_named_to_holders_of_the_key_alone(tmp_path: Path) -> None:
    async with with_plugin(tmp_path, command=["/nowhere/at/all"]) as served:
        answer = await message(served, "does not run: its program cannot be started: No such file or directory.")
        assert "Check plugins.configs.sample.command, which starts /nowhere/at/all;" in str(answer["hint"])

        opened = await served.request("GET", "/v0/resource/plugins/sample/page", headers={})
        assert (opened.status, "nowhere" in str(opened.json)) == (503, False)
        assert "plugins.configs.sample.command;" in str(body(opened)["hint"])


async def test_a_plugin_that_ends_says_when_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "MIN_PAUSE_SECONDS", 60.0)
    async with with_plugin(tmp_path, command=["false"]) as served:
        await message(served, "does not run: it ended with status 1 before its handshake. It is started again in")
        assert int((await served.request("GET", f"{BELOW}/info")).headers["retry-after"]) > 1


async def test_a_program_without_a_handshake_is_ended_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "HANDSHAKE_SECONDS", 0.2)
    async with with_plugin(tmp_path, "silent") as served:
        assert (await message(served, "it sent no handshake within"))["code"] == "plugin_down"


async def test_a_stopped_process_is_killed_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(keeper, "MIN_PAUSE_SECONDS", 1.0)
    async with with_plugin(tmp_path) as served:
        number = int(str(body(await ready(served))["process"]))
        os.kill(number, signal.SIGSTOP)
        monkeypatch.setattr(keeper, "TURN_SECONDS", 0.02)

        async with asyncio.timeout(15):
            call = await served.request("GET", f"{BELOW}/info")
        assert (call.status, body(call)["code"]) == (503, "plugin_down")
        await message(served, "does not run: it gave no sign of life for 1 s and was killed.")
        assert (await served.request("GET", "/healthz")).status == 200
        assert body(await ready(served))["process"] != number


async def test_a_process_that_answers_late_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "QUIET_SECONDS", 0.02)
    monkeypatch.setattr(answering, "ANSWER_SECONDS", 0.3)
    async with with_plugin(tmp_path) as served:
        number = int(str(body(await ready(served))["process"]))
        os.kill(number, signal.SIGSTOP)
        late = await served.request("GET", f"{BELOW}/info")
        assert (late.status, body(late)["code"]) == (504, "plugin_late")

        os.kill(number, signal.SIGCONT)
        monkeypatch.setattr(answering, "ANSWER_SECONDS", 30.0)
        assert body(await ready(served))["process"] == number


async def test_a_stopped_process_ends_soon_after_its_plugin_was_disabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_QUIESCE_SECONDS", "_SHUTDOWN_SECONDS", "_END_SECONDS"):
        monkeypatch.setattr(process, name, 0.1)
    async with with_plugin(tmp_path) as served:
        number = int(str(body(await ready(served))["process"]))
        os.kill(number, signal.SIGSTOP)
        text = configured(tmp_path, ["unused"], enabled=False)
        assert (await served.request("PUT", "/v0/management/config.yaml", data=text.encode())).status == 200

        async with asyncio.timeout(10):
            while Path(f"/proc/{number}").exists():
                await asyncio.sleep(0.02)
            while (await served.request("GET", f"{BELOW}/info")).status != 404:
                await asyncio.sleep(0.02)


async def test_a_stream_ends_in_order_when_the_gateway_ends(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        await ready(served)

        headers = {**AUTHORISED, "Accept": "text/event-stream"}
        async with served.client.get(f"{served.url}{BELOW}/stream", headers=headers) as answer:
            assert await answer.content.readuntil(b"\n\n") == b"data: 0\n\n"
            served.runtime.plugins.ending.set()
            assert (b"\n\n" + await answer.read()).endswith(b"\n\n")


async def test_the_gateway_listens_at_once_whatever_its_plugin_does(tmp_path: Path) -> None:
    async with with_plugin(tmp_path, "silent") as served:
        assert (await served.request("GET", "/healthz")).status == 200
        assert (await served.request("GET", f"{BELOW}/info")).status == 503


async def test_an_answer_above_the_usual_limit_of_grpc_arrives(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        await ready(served)

        assert len((await served.request("GET", f"{BELOW}/large")).body) == 4_300_000


async def test_a_stream_comes_piece_by_piece_and_ends_with_its_client(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        await ready(served)

        headers = {**AUTHORISED, "Accept": "text/event-stream"}
        async with served.client.get(f"{served.url}{BELOW}/stream", headers=headers) as answer:
            assert answer.content_type == "text/event-stream"
            assert await answer.content.readuntil(b"\n\n") == b"data: 0\n\n"
            assert await answer.content.readuntil(b"\n\n") == b"data: 1\n\n"
        async with asyncio.timeout(10):
            while not body(await ready(served))["left"]:
                await asyncio.sleep(0.02)


async def test_a_call_ends_when_its_client_leaves(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        await ready(served)

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await served.request("GET", f"{BELOW}/hang")
        async with asyncio.timeout(10):
            while not body(await ready(served))["left"]:
                await asyncio.sleep(0.02)


async def test_a_plugin_asks_the_gateway_without_a_key(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        await ready(served)

        answer = await served.request("GET", f"{BELOW}/manage")
        assert (answer.status, answer.json) == (200, {"debug": False})


async def test_only_changed_settings_are_sent_and_a_disabled_plugin_ends(tmp_path: Path) -> None:
    async with with_plugin(tmp_path) as served:
        number = body(await ready(served))["process"]
        run = (sys.executable, str(SAMPLE))

        async def rewrite(text: str) -> None:
            assert (await served.request("PUT", "/v0/management/config.yaml", data=text.encode())).status == 200

        for count in range(5):
            await rewrite(configured(tmp_path, run, more=f"request-retry: {count}\n"))
        await rewrite(configured(tmp_path, run, more="      colour: blue\n"))
        async with asyncio.timeout(10):
            while len(settings := list(body(await ready(served))["configured"])) < 2:  # type: ignore[call-overload]
                await asyncio.sleep(0.02)
        assert [call["first"] for call in settings] == [True, False]
        assert "colour: blue" in settings[1]["settings"]

        await rewrite(configured(tmp_path, run, enabled=False))
        async with asyncio.timeout(10):
            while (await served.request("GET", f"{BELOW}/info")).status != 404:
                await asyncio.sleep(0.02)
            while Path(f"/proc/{number}").exists():
                await asyncio.sleep(0.02)
        await rewrite(configured(tmp_path, run))
        assert body(await ready(served))["process"] != number
