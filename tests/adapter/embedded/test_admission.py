"""The gateway's ban table learns from which site a browser sends a key."""

from adapter.port import AdmissionAttempt, Admitted, Denied
from adapter.privacy.secret import Secret
from tests.adapter.embedded.conftest import Start

KEYED = 'remote-management:\n  secret-key: "right-key-1"\n'
RIGHT = AdmissionAttempt(Secret("right-key-1"), "127.0.0.1")
OF_ANOTHER_SITE = AdmissionAttempt(Secret("wrong"), "127.0.0.1", "cross-site")


async def test_wrong_keys_of_another_site_do_not_ban_the_operator(start: Start) -> None:
    gateway = (await start(KEYED)).gateway

    refused = [await gateway.admit(OF_ANOTHER_SITE) for _ in range(6)]

    assert all(isinstance(denied, Denied) for denied in refused)
    assert await gateway.admit(RIGHT) == Admitted()


async def test_wrong_keys_of_the_operators_own_site_ban(start: Start) -> None:
    gateway = (await start(KEYED)).gateway

    for _ in range(5):
        await gateway.admit(AdmissionAttempt(Secret("wrong"), "127.0.0.1", "same-origin"))

    denied = await gateway.admit(RIGHT)
    assert isinstance(denied, Denied)
    assert denied.status == 403


BEHIND_A_PROXY = KEYED + 'trusted-proxies: ["127.0.0.1"]\n'


async def test_a_client_of_a_trusted_proxy_is_judged_by_its_own_address(start: Start) -> None:
    gateway = (await start(BEHIND_A_PROXY)).gateway

    forwarded = await gateway.admit(AdmissionAttempt(Secret("right-key-1"), "127.0.0.1", forwarded="8.8.8.8"))

    assert isinstance(forwarded, Denied)
    assert forwarded.status == 403
    assert await gateway.admit(RIGHT) == Admitted()
    assert await gateway.client_address("127.0.0.1", "8.8.8.8") == "8.8.8.8"
    assert await gateway.client_address("127.0.0.1", "127.0.0.1, 8.8.8.8") == "8.8.8.8"


async def test_a_forwarded_address_counts_from_a_trusted_proxy_alone(start: Start) -> None:
    gateway = (await start(KEYED)).gateway

    assert await gateway.client_address("127.0.0.1", "8.8.8.8") == "127.0.0.1"
    assert await gateway.client_address("9.9.9.9", "127.0.0.1") == "9.9.9.9"


async def test_wrong_keys_of_one_client_of_a_proxy_do_not_ban_the_others(start: Start) -> None:
    gateway = (await start(BEHIND_A_PROXY)).gateway

    for _ in range(6):
        await gateway.admit(AdmissionAttempt(Secret("wrong"), "127.0.0.1", forwarded="8.8.8.8"))

    assert await gateway.admit(RIGHT) == Admitted()
