"""What goes to an upstream, and by which way."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.inference.families import COMPAT, FAMILIES, Action
from gateway.internal.inference.forwarding import address_for, forwarded_headers, forwarded_query
from gateway.internal.inference.relay import HiddenUsage
from gateway.internal.inference.request import read_request as read
from gateway.internal.pool.credential import Credential, Origin
from tests.inference.pools import CHAT, CLIENT, compat, pool
from tests.inference.providers import events
from tests.loopback import socks_proxy


def credential(base_url: str, *, is_file: bool = False) -> Credential:
    origin = Origin.FILE if is_file else Origin.CONFIGURATION
    return Credential("i", "i", "p", "l", origin, disabled=False, revision="", base_url=base_url, metadata={})


@pytest.mark.parametrize(
    ("family", "base", "action", "address"),
    [
        ("claude", "", Action.MESSAGES, "https://api.anthropic.com/v1/messages"),
        ("claude", "http://a/", Action.MESSAGES, "http://a/v1/messages"),
        ("claude", "http://a/v1/", Action.COUNT_TOKENS, "http://a/v1/messages/count_tokens"),
        ("gemini", "", Action.GEMINI, "https://generativelanguage.googleapis.com/v1beta/models/m%2Fn:call"),
        ("gemini", "http://a/v1beta", Action.GEMINI, "http://a/v1beta/models/m%2Fn:call"),
        ("vertex", "http://a", Action.GEMINI, "http://a/v1/publishers/google/models/m%2Fn:call"),
        ("codex", "http://a/v1", Action.RESPONSES, "http://a/v1/responses"),
        ("codex", "", Action.RESPONSES, ""),
        ("xai", "", Action.CHAT, "https://api.x.ai/v1/chat/completions"),
        ("compat", "http://a/v1", Action.CHAT, "http://a/v1/chat/completions"),
    ],
)
def test_the_address_is_the_base_address_and_the_familys_path(
    family: str, base: str, action: Action, address: str
) -> None:
    asked = read(action, b"{}", query="", headers={}, path_model="x:call")
    assert address_for(FAMILIES.get(family, COMPAT), credential(base), asked, "m/n") == address


def test_headers_about_the_client_stay_behind_and_the_others_go_on() -> None:
    own = {"Authorization", "X-Api-Key", "x-goog-api-key", "Cookie", "Host", "Content-Length", "Connection", "Origin"}
    own |= {"X-Forwarded-For", "Sec-Fetch-Mode", "Cf-Ray", "OpenAI-Organization", "X-Management-Key", "Accept-Encoding"}
    theirs = {"Anthropic-Beta": "a", "User-Agent": "b", "X-Stainless-Lang": "c", "Accept": "d"}
    assert forwarded_headers([*((name, "v") for name in own), *theirs.items()]) == theirs


@pytest.mark.parametrize(
    ("query", "passed"),
    [("", ""), ("key=k", ""), ("auth_token=k&alt=sse", "?alt=sse"), ("a=1&a=2&b=", "?a=1&a=2&b="), ("a=%26", "?a=%26")],
)
def test_a_key_in_the_address_stays_behind(query: str, passed: str) -> None:
    assert forwarded_query(query) == passed


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_only_the_name_of_the_model_changes_in_a_body(value: object) -> None:
    document = {"model": "mine", "other": value}
    asked = read(Action.CHAT, json.dumps(document).encode(), query="", headers={})
    assert json.loads(asked.body_for("theirs")) == document | {"model": "theirs"}
    assert asked.body_for("mine") == asked.body


@given(st.lists(st.integers(1, 200), max_size=20), st.booleans())
def test_only_the_event_with_nothing_but_usage_is_taken_out(lengths: list[int], windows: bool) -> None:
    def stream(*, usage: bool) -> bytes:
        text = b"".join(events("/v1/chat/completions", {"stream_options": {"include_usage": usage}}))
        return text.replace(b"\n", b"\r\n") if windows else text

    sieve, text, passed = HiddenUsage(), stream(usage=True), b""
    for length in lengths:
        passed += sieve.feed(text[:length])
        text = text[length:]
    assert passed + sieve.feed(text) + sieve.finish() == stream(usage=False)


async def test_a_credential_goes_through_its_proxy(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, upstream), socks_proxy(int(upstream.url.rpartition(":")[2])) as proxy:
        text = served.runtime.text.replace(
            '- api-key: "ok-solo-1"', f'- api-key: "ok-solo-1"\n        proxy-url: "socks5://127.0.0.1:{proxy.port}"'
        )
        (tmp_path / "config.yaml").write_text(text)
        await served.runtime.reload()
        answer = await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT)
        assert answer.status == 200
        assert len(proxy.asked) == 1


async def test_headers_of_the_entry_go_before_those_of_the_client(tmp_path: Path) -> None:
    text = "openai-compatibility:\n" + compat("{url}", "ok-1") + "    headers: {X-Team: ours}\n"
    async with pool(tmp_path, text) as (served, upstream):
        headers = CLIENT | {"X-Team": "theirs", "X-Else": "kept"}
        await served.request("POST", "/v1/chat/completions", headers=headers, json=CHAT)
        assert (upstream.seen[0].headers["x-team"], upstream.seen[0].headers["x-else"]) == ("ours", "kept")


async def test_a_request_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.internal.inference.clients.LONGEST_REQUEST", 100)
    async with pool(tmp_path) as (served, upstream):
        body = CHAT | {"filler": "x" * 200}
        answer = await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=body)
        assert answer.status == 413
        assert b"longer than 100 bytes" in answer.body
        assert upstream.seen == []
