"""Sign-ins over a stock gateway's management API, with a stand-in of the vendor."""

from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Capability, SignInProgress, errors
from adapter.privacy.secret import Secret
from tests.adapter.management.stand_in import PREFIX, StandIn

STATE = "a-state-0123456789"
URL = f"https://vendor.example/authorize?state={STATE}"
GOOD = {"status": "ok", "url": URL, "state": STATE}


class Answers:
    """Answers of the addresses of sign-ins, and the requests to them."""

    def __init__(self, stand_in: StandIn) -> None:
        self.table: dict[str, tuple[int, Mapping[str, Any]]] = {}
        self.requests: list[tuple[str, str, dict[str, str], str]] = []
        self._version = stand_in.version
        stand_in.before = self.answer

    async def answer(self, request: web.Request) -> web.StreamResponse | None:
        name = request.path.removeprefix(f"{PREFIX}/")
        if name not in self.table:
            return None
        self.requests.append((request.method, name, dict(request.query), await request.text()))
        status, body = self.table[name]
        if status == 500 and "is_webui" not in request.query:
            status, body = 200, GOOD
        return web.json_response(body, status=status, headers=self._version)


@pytest.fixture
def answers(stand_in: StandIn) -> Answers:
    return Answers(stand_in)


@pytest.mark.parametrize(
    ("provider", "name", "queries"),
    [("claude", "anthropic-auth-url", [{"is_webui": "true"}]), ("kimi", "kimi-auth-url", [{}])],
)
async def test_a_sign_in_begins_at_the_address_of_its_provider(
    connection: ManagementConnection, answers: Answers, provider: str, name: str, queries: list[dict[str, str]]
) -> None:
    assert Capability.SIGN_IN in (await connection.gateway.describe()).capabilities
    answers.table[name] = 200, {**GOOD, "user_code": "ABCD-1234"}
    begun = await connection.gateway.begin_sign_in(provider)
    assert (begun.url.reveal(), begun.state.reveal(), begun.user_code) == (URL, STATE, "ABCD-1234")
    assert begun.takes_callback is (provider == "claude")
    assert [query for _, _, query, _ in answers.requests] == queries
    assert STATE not in repr(begun)


async def test_a_gateway_whose_port_is_taken_begins_without_listening(
    connection: ManagementConnection, answers: Answers
) -> None:
    answers.table["codex-auth-url"] = 500, {"error": "failed to start callback server"}
    assert (await connection.gateway.begin_sign_in("codex")).state == Secret(STATE)
    assert [query for _, _, query, _ in answers.requests] == [{"is_webui": "true"}, {}]


@pytest.mark.parametrize("provider", ["qwen", "xai"])
async def test_a_provider_without_an_address_is_unsupported(connection: ManagementConnection, provider: str) -> None:
    with pytest.raises(errors.Unsupported) as caught:
        await connection.gateway.begin_sign_in(provider)
    assert caught.value.capability is Capability.SIGN_IN


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "http://vendor.example/", "", "https:x", "https://[", "data:text/html,x"]
)
async def test_an_address_that_no_page_may_lead_to_is_none(
    connection: ManagementConnection, answers: Answers, url: str
) -> None:
    answers.table["codex-auth-url"] = 200, {**GOOD, "url": url}
    with pytest.raises(errors.Unavailable) as caught:
        await connection.gateway.begin_sign_in("codex")
    assert STATE not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "progress", "text"),
    [
        ({"status": "wait"}, SignInProgress.WAITING, ""),
        ({"status": "ok"}, SignInProgress.DONE, ""),
        ({"status": "error", "error": "unknown or expired state"}, SignInProgress.FAILED, "unknown or expired state"),
        ({"status": "error", "error": f"bad {STATE}"}, SignInProgress.FAILED, "bad …"),
        ({"status": "of a later release"}, SignInProgress.WAITING, ""),
    ],
)
async def test_the_progress_is_the_gateways(
    connection: ManagementConnection, answers: Answers, body: dict[str, str], progress: SignInProgress, text: str
) -> None:
    answers.table["get-auth-status"] = 200, body
    state = await connection.gateway.sign_in_state(Secret(STATE))
    assert (state.progress, state.text) == (progress, text)


async def test_an_address_is_handed_over_and_a_sign_in_ended(
    connection: ManagementConnection, answers: Answers
) -> None:
    answers.table |= {"oauth-callback": (200, {"status": "ok"}), "oauth-session": (200, {"cancelled": True})}
    address = f"http://localhost:1455/?code=c0de&state={STATE}"
    await connection.gateway.send_callback(Secret(STATE), Secret(address))
    await connection.gateway.cancel_sign_in(Secret(STATE))
    (posted, ended) = answers.requests
    assert (posted[0], address in posted[3]) == ("POST", True)
    assert ended[::2] == ("DELETE", {"state": STATE})


async def test_a_refused_address_is_in_no_error(connection: ManagementConnection, answers: Answers) -> None:
    answers.table["oauth-callback"] = 409, {"status": "error", "error": "oauth flow is not pending"}
    with pytest.raises(errors.Rejected, match="oauth flow is not pending") as caught:
        await connection.gateway.send_callback(Secret(STATE), Secret("http://localhost/?code=c0de"))
    assert "c0de" not in str(caught.value)
