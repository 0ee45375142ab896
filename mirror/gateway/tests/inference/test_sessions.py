"""Requests of one session go to the same credential (`routing.session-affinity`)."""

from pathlib import Path

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.inference.families import Action
from gateway.internal.inference.request import read_request as read
from gateway.internal.inference.rotation import Sessions, session_of
from tests.inference.pools import CHAT, CLIENT, compat, pool

THREE = "openai-compatibility:\n" + compat("{url}", "ok-1", "ok-2", "s500-3")
STICKY = "routing:\n  session-affinity: true\n"


def session(body: str, key: str = "k", action: Action = Action.CHAT, name: str = "") -> str:
    headers = {"X-Session-Id": name} if name else {}
    return session_of(read(action, body.encode(), query="", headers=headers), key)


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


def test_a_session_is_forgotten_after_a_while() -> None:
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    sessions.served("s", "c", 60)
    now[0] = 59.0
    assert sessions.credential_of("s") == "c"
    now[0] = 60.0
    assert sessions.credential_of("s") == ""


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
