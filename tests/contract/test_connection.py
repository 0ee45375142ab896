from typing import Any

import pytest

from adapter.port import Capability, Change, FileRef, Revision
from tests.contract.pool import INSTALLATION_KEY, compat
from tests.contract.stage import Stage

ALWAYS = {Capability.SET_DISABLED, Capability.CALL, Capability.DELETE_FILE}


async def test_a_gateway_says_what_it_is_and_what_it_can_do(stage: Stage) -> None:
    about = await stage.gateway.describe()
    assert about.name
    assert about.version
    assert not about.version.startswith("v")
    assert about.capabilities >= ALWAYS
    assert 0 <= about.seconds_per_call < 10


async def test_what_a_gateway_says_of_itself_does_not_change(stage: Stage) -> None:
    about = await stage.gateway.describe()
    assert await stage.gateway.describe() == about


async def test_the_gateway_of_a_connection_is_always_the_same(stage: Stage) -> None:
    assert stage.connection.gateway is stage.connection.gateway


async def test_before_it_is_bound_no_account_can_be_named(stage: Stage) -> None:
    connection = await stage.unbound()
    with pytest.raises(RuntimeError, match="bind"):
        await connection.gateway.accounts()
    with pytest.raises(RuntimeError, match="bind"):
        await connection.gateway.set_disabled([Change(FileRef("a.json"), disabled=True)])
    with pytest.raises(RuntimeError, match="bind"):
        await connection.gateway.delete_file(FileRef("a.json"), Revision("any"))
    connection.bind(INSTALLATION_KEY)
    assert (await connection.gateway.accounts()).accounts
    await connection.close()


async def test_binding_again_with_the_same_key_does_nothing_and_with_another_is_a_mistake(stage: Stage) -> None:
    before = await stage.gateway.accounts()
    stage.connection.bind(INSTALLATION_KEY)
    with pytest.raises(ValueError, match="another installation key"):
        stage.connection.bind(b"another installation key")
    assert compat(await stage.gateway.accounts(), "solo") == compat(before, "solo")


async def test_a_short_installation_key_is_refused(stage: Stage) -> None:
    connection = await stage.unbound()
    with pytest.raises(ValueError, match="at least 16"):
        connection.bind(b"short")
    await connection.close()


async def test_another_installation_key_gives_other_fingerprints(stage: Stage) -> None:
    connection = await stage.unbound()
    connection.bind(b"another installation key")
    other = compat(await connection.gateway.accounts(), "solo")
    own = compat(await stage.gateway.accounts(), "solo")
    assert other.ref == own.ref
    assert other.fingerprint != own.fingerprint
    await connection.close()


async def test_the_fallback_answers_404_to_a_path_nobody_knows(stage: Stage) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/nobody/knows/this",
        "raw_path": b"/nobody/knows/this",
        "query_string": b"",
        "root_path": "",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8317),
    }
    await stage.connection.fallback(scope, receive, send)
    assert sent[0]["status"] == 404
