"""The session of the page never reaches the gateway."""

from typing import Any

import pytest

from extension.serving.web.own_credentials import WithoutOwnCredentials, stripped


@pytest.mark.parametrize(
    ("sent", "passed"),
    [
        ([(b"cookie", b"poolkeeper_session=abc")], []),
        ([(b"cookie", b"a=1; poolkeeper_session=abc;b=2")], [(b"cookie", b"a=1; b=2")]),
        ([(b"cookie", b"poolkeeper_session =abc; a=1")], [(b"cookie", b"a=1")]),
        ([(b"cookie", b'"poolkeeper_session"=abc; POOLKEEPER_SESSION=abc; a=1')], [(b"cookie", b"a=1")]),
        ([(b"cookie", b"a=1, poolkeeper_session=abc,b=2; c=3")], [(b"cookie", b"a=1,b=2; c=3")]),
        ([(b"cookie", b"a=1;poolkeeper_session=abc, b=2")], [(b"cookie", b"a=1; b=2")]),
        ([(b"cookie", b"a=1 ,POOLKEEPER_SESSION=abc")], [(b"cookie", b"a=1")]),
        ([(b"cookie", b"other_poolkeeper_session=1")], [(b"cookie", b"other_poolkeeper_session=1")]),
        ([(b"x-poolkeeper-csrf", b"token"), (b"accept", b"*/*")], [(b"accept", b"*/*")]),
        ([(b"authorization", b"Bearer client")], [(b"authorization", b"Bearer client")]),
    ],
)
def test_only_our_own_credentials_are_taken_out(
    sent: list[tuple[bytes, bytes]], passed: list[tuple[bytes, bytes]]
) -> None:
    assert stripped(sent) == passed


async def test_the_application_behind_sees_the_request_without_them() -> None:
    seen: list[Any] = []

    async def inside(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append((scope["path"], scope["headers"]))

    headers = [(b"cookie", b"poolkeeper_session=abc"), (b"x-poolkeeper-csrf", b"token")]
    scope = {"type": "http", "path": "/v1/models", "headers": headers}
    await WithoutOwnCredentials(inside)(scope, _never, _never)
    assert seen == [("/v1/models", [])]


async def _never(*_: Any) -> Any:
    raise AssertionError
