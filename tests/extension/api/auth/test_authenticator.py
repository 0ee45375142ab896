"""Refusals of the gateway become answers with a next step."""

import pytest
from starlette.requests import Request

from adapter.clock import FakeClock
from adapter.fake import FakeGateway
from adapter.port import Admission, AdmissionAttempt, Denied
from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import ADMITTED_BY_HOST, Authenticator, admit
from extension.api.auth.sessions import Sessions
from extension.api.problems import Problem


class BusyGateway(FakeGateway):
    """A gateway whose queue of key checks is full; it notes the site each attempt came from."""

    def __init__(self) -> None:
        super().__init__("", {})
        self.sites: list[str] = []

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        self.sites.append(attempt.fetch_site)
        return Denied(429, '{"error": "too many keys are being checked"}', 1)


class AnyKey:
    """A management key that does not change."""

    async def now(self) -> str:
        return "key"

    async def admits(self, _peer: str) -> bool:
        return True


async def test_a_full_queue_of_key_checks_is_busy_and_no_ban() -> None:
    gateway = BusyGateway()
    request = Request({"type": "http", "client": ("127.0.0.1", 9), "headers": [(b"sec-fetch-site", b"cross-site")]})

    with pytest.raises(Problem) as caught:
        await admit(gateway, Secret("some-key"), request)

    assert caught.value.status == 429
    assert caught.value.view.code == "busy"
    assert caught.value.headers == {"Retry-After": "1"}
    assert gateway.sites == ["cross-site"]


@pytest.mark.parametrize(
    ("headers", "extensions", "error"),
    [
        ([], {}, "You are not signed in, and the request has no management key."),
        ([(b"x-management-key", b"k")], {}, "There is no session. This request has the management key."),
        (
            [],
            {ADMITTED_BY_HOST: {}},
            "There is no session. The gateway has checked the management key of this request.",
        ),
    ],
)
async def test_a_request_with_the_key_is_not_told_that_it_has_none(
    headers: list[tuple[bytes, bytes]], extensions: dict[str, object], error: str
) -> None:
    authenticator = Authenticator(FakeGateway("", {}), AnyKey(), Sessions(FakeClock(), 1000))
    request = Request({"type": "http", "client": ("127.0.0.1", 9), "headers": headers, "extensions": extensions})

    with pytest.raises(Problem) as caught:
        await authenticator.session(request, unsafe=False)

    assert (caught.value.status, caught.value.view.code, caught.value.view.error) == (401, "no_session", error)
