"""Requests of one session go to the same credential (`routing.session-affinity`)."""

from pathlib import Path

import pytest

from gateway.internal.configuration.durations import duration
from gateway.internal.configuration.loading import parse
from gateway.internal.inference.asked import read
from gateway.internal.inference.families import Action
from gateway.internal.inference.sessions import Sessions, session_of
from tests.conformance.rules import rule
from tests.inference.pools import CHAT, CLIENT, compat, pool

THREE = "openai-compatibility:\n" + compat("{url}", "ok-1", "ok-2", "s500-3")
STICKY = "routing:\n  session-affinity: true\n"


def session(body: str, key: str = "k", action: Action = Action.CHAT, name: str = "") -> str:
    headers = {"X-Session-Id": name} if name else {}
    return session_of(read(action, body.encode(), query="", headers=headers), key)


@rule("default.affinity")
async def test_a_session_stays_with_who_served_it(tmp_path: Path) -> None:
    async with pool(tmp_path, THREE, rest=STICKY) as (served, upstream):
        for name in ("one", "two", "one", "two", "one", "two"):
            headers = CLIENT | {"X-Session-Id": name}
            assert (await served.request("POST", "/v1/chat/completions", headers=headers, json=CHAT)).status == 200
        good = [key for key in upstream.keys if key.startswith("ok")]
        assert (len(set(good[::2])), len(set(good[1::2]))) == (1, 1)
        assert set(good) == {"ok-1", "ok-2"}


async def test_a_session_moves_on_when_its_credential_goes_and_stays_there(tmp_path: Path) -> None:
    async with pool(tmp_path, THREE, rest=STICKY) as (served, upstream):

        async def ask() -> str:
            answer = await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT)
            assert answer.status == 200
            return upstream.keys[-1]

        first = await ask()
        gone = next(one for one in served.runtime.snapshot.credentials if one.api_key == first)
        await served.request("PATCH", "/v0/management/openai-compatibility", json={
            "index": 0, "value": {"api-key-entries": [{"api-key": key} for key in ("ok-1", "ok-2") if key != first]},
        })  # fmt: skip
        assert gone.id not in {one.id for one in served.runtime.snapshot.credentials}
        assert {await ask() for _ in range(3)} == {"ok-1", "ok-2"} - {first}


async def test_without_affinity_sessions_do_not_count(tmp_path: Path) -> None:
    async with pool(tmp_path, "openai-compatibility:\n" + compat("{url}", "ok-1", "ok-2")) as (served, upstream):
        headers = CLIENT | {"X-Session-Id": "one"}
        for _ in range(4):
            await served.request("POST", "/v1/chat/completions", headers=headers, json=CHAT)
        assert sorted(upstream.keys) == ["ok-1", "ok-1", "ok-2", "ok-2"]


def test_a_session_is_named_by_the_client_or_by_what_it_opens_with() -> None:
    first = '{"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "hi"}]}'
    longer = first[:-2] + ', {"role": "assistant", "content": "ho"}, {"role": "user", "content": "more"}]}'
    assert session(first) == session(longer) != session(first.replace("hi", "other"))
    assert session('{"metadata": {"user_id": "u_session_1"}}') == session(
        '{"metadata": {"user_id": "u_session_1"}, "messages": [{"role": "user"}]}'
    )
    assert session(first, name="a") != session(first, name="b")
    assert session('{"input": "hi"}', action=Action.RESPONSES) != session('{"input": "ho"}', action=Action.RESPONSES)
    assert not session("{}")


def test_sessions_of_different_clients_and_models_are_different() -> None:
    body = '{"model": "m", "session_id": "1"}'
    assert len({session(body), session(body, "other"), session(body.replace('"m"', '"n"'))}) == 3
    assert "secret-key" not in session(body, "secret-key")


def test_a_session_is_forgotten_after_a_while() -> None:
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    sessions.served("s", "c", 60)
    now[0] = 59.0
    assert sessions.credential_of("s") == "c"
    now[0] = 60.0
    assert sessions.credential_of("s") == ""


def test_only_so_many_sessions_are_remembered() -> None:
    sessions = Sessions(lambda: 0.0)
    for number in range(10_001):
        sessions.served(str(number), "c", 60)
    assert [sessions.credential_of(name) for name in ("0", "1", "10000")] == ["", "c", "c"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("1h", 3600.0), ("1h30m", 5400.0), ("90s", 90.0), ("1.5m", 90.0), ("250ms", 0.25)),
        *(("", None), ("0s", None), ("1", None), ("h", None), ("1h x", None)),
    ],
)
def test_durations_are_read_as_they_are_written_in_go(text: str, seconds: float | None) -> None:
    assert duration(text) == seconds


@rule("default.affinity")
@pytest.mark.parametrize(
    ("routing", "seconds"),
    [
        ("{}", 0.0),
        ("{session-affinity: true}", 3600.0),
        ("{session-affinity: true, session-affinity-ttl: 10m}", 600.0),
        ("{session-affinity: true, session-affinity-ttl: soon}", 3600.0),
        ("{session-affinity-ttl: 10m}", 0.0),
    ],
)
def test_affinity_lasts_as_long_as_the_configuration_says(routing: str, seconds: float) -> None:
    assert parse(f"routing: {routing}").traffic.session_seconds == seconds
