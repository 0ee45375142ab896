"""Refusals of the gateway become answers with a next step."""

import pytest
from starlette.requests import Request

from adapter.fake import FakeGateway
from adapter.port import Admission, AdmissionAttempt, Denied
from adapter.privacy.secret import Secret
from extension.api.auth.authenticator import admit
from extension.api.problems import Problem


class BusyGateway(FakeGateway):
    """A gateway whose queue of key checks is full; it notes the site each attempt came from."""

    def __init__(self) -> None:
        super().__init__("", {})
        self.sites: list[str] = []

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        self.sites.append(attempt.fetch_site)
        return Denied(429, '{"error": "too many keys are being checked"}', 1)


async def test_a_full_queue_of_key_checks_is_busy_and_no_ban() -> None:
    gateway = BusyGateway()
    request = Request({"type": "http", "client": ("127.0.0.1", 9), "headers": [(b"sec-fetch-site", b"cross-site")]})

    with pytest.raises(Problem) as caught:
        await admit(gateway, Secret("some-key"), request)

    assert caught.value.status == 429
    assert caught.value.view.code == "busy"
    assert caught.value.headers == {"Retry-After": "1"}
    assert gateway.sites == ["cross-site"]
