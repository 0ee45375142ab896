"""The management key is changed at the gateway: the old one, its sessions and its streams end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest

from adapter.contract.expectations import own
from tests.attack.conftest import Target
from tests.attack.test_sessions_and_keys import EVENTS, asked, signed_in
from tests.system.plugged import until

pytestmark = pytest.mark.slow

NEW_KEY = "another management key"
PATIENCE = 45
"""Seconds until a stream has to end by itself: 30 for the proof of a key, and those of a loaded machine."""


@contextmanager
def streaming(target: Target, headers: dict[str, str]) -> Iterator[HTTPResponse]:
    with closing(HTTPConnection("127.0.0.1", target.port, timeout=PATIENCE)) as connection:
        connection.request("GET", EVENTS, headers={**headers, "Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert stream.status == 200
        yield stream


def change_key(target: Target) -> None:
    """Write another key into the gateway's configuration, and wait until it has stored that hashed."""
    text = target.config.read_text("utf-8")
    target.config.write_text(re.sub(r"secret-key: .*", f'secret-key: "{NEW_KEY}"', text, count=1), "utf-8")
    until(lambda: NEW_KEY not in target.config.read_text("utf-8"), "the gateway does not load the new key")


@pytest.mark.parametrize("called", [True, False], ids=["called", "silent"])
def test_a_changed_key_ends_sessions_and_streams_and_bans_nobody(target: Target, mode: str, called: bool) -> None:
    cookie, _ = signed_in(target)
    session, key = {"Cookie": cookie}, {"X-Management-Key": target.key}
    with streaming(target, session) as of_session, streaming(target, key) as of_key:
        change_key(target)
        if called:
            assert asked(target, "GET", "/v0/management/debug", key) in {401, 502}
        for stream in (of_session, of_key):
            while stream.read1():
                pass

    assert asked(target, "GET", own("info"), session) == 401
    assert asked(target, "GET", own("info/session"), session) == 401
    for _ in range(10 if mode == "remote" else 1):
        assert asked(target, "GET", own("info"), key) == 401
    assert target.gateway.ask("GET", "/v0/management/debug", key=NEW_KEY).status == 200, "banned, or never loaded"
