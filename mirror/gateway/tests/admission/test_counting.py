"""Failures that count towards a ban, and under whose name."""

from dataclasses import replace

import bcrypt
import pytest

from gateway.internal.admission.bans import BanTable
from gateway.internal.admission.gatekeeper import Admitted, Denied, Gatekeeper, Rules
from gateway.internal.admission.verifier import Verifier

KEY = "correct horse"
HASH = bcrypt.hashpw(KEY.encode(), bcrypt.gensalt(4)).decode()
LOCAL = "127.0.0.1"
STOCK = Rules(stored_hash=HASH, allow_remote=True)
EXTENDED = replace(STOCK, count_keyless=False, count_cross_site=False)
WRONG = {"authorization": "Bearer wrong"}
RIGHT = {"authorization": f"Bearer {KEY}"}
CROSS = {"sec-fetch-site": "cross-site"}


@pytest.fixture
def gatekeeper() -> Gatekeeper:
    return Gatekeeper(BanTable(lambda: 0.0), Verifier())


async def statuses(gatekeeper: Gatekeeper, rules: Rules, headers: dict[str, str], peer: str = LOCAL) -> list[int]:
    decisions = [await gatekeeper.decide(rules, headers, peer) for _ in range(6)]
    return [decision.status for decision in decisions if isinstance(decision, Denied)]


async def test_only_a_presented_key_counts_in_the_extended_profile(gatekeeper: Gatekeeper) -> None:
    assert await statuses(gatekeeper, EXTENDED, {}) == [401] * 6
    assert await gatekeeper.decide(EXTENDED, RIGHT, LOCAL) == Admitted(LOCAL)
    assert await statuses(gatekeeper, EXTENDED, WRONG) == [401] * 5 + [403]


async def test_a_request_without_a_key_counts_in_the_stock_profile(gatekeeper: Gatekeeper) -> None:
    assert await statuses(gatekeeper, STOCK, {}) == [401] * 5 + [403]


@pytest.mark.parametrize("headers", [CROSS, CROSS | WRONG])
async def test_a_page_of_another_site_cannot_ban_the_operator(gatekeeper: Gatekeeper, headers: dict[str, str]) -> None:
    for _ in range(4):
        await statuses(gatekeeper, EXTENDED, headers)
    assert await gatekeeper.decide(EXTENDED, RIGHT, LOCAL) == Admitted(LOCAL)


async def test_a_page_of_another_site_counts_like_any_caller_in_the_stock_profile(gatekeeper: Gatekeeper) -> None:
    await statuses(gatekeeper, STOCK, CROSS | WRONG)
    assert isinstance(await gatekeeper.decide(STOCK, RIGHT, LOCAL), Denied)


async def test_calling_itself_cross_site_gives_a_guesser_five_guesses_and_no_more(gatekeeper: Gatekeeper) -> None:
    assert await statuses(gatekeeper, EXTENDED, CROSS | WRONG) == [401] * 5 + [403]
    assert isinstance(await gatekeeper.decide(EXTENDED, CROSS | RIGHT, LOCAL), Denied)


async def test_guesses_from_many_addresses_of_one_64_are_those_of_one_client(gatekeeper: Gatekeeper) -> None:
    seen = [await gatekeeper.decide(EXTENDED, WRONG, f"2001:db8::{number:x}") for number in range(6)]
    assert [decision.status for decision in seen if isinstance(decision, Denied)] == [401] * 5 + [403]
    assert isinstance(await gatekeeper.decide(EXTENDED, RIGHT, "2001:db8:0:1::1"), Admitted)


async def test_a_full_queue_is_429_and_no_failure() -> None:
    verifier = Verifier()
    verifier.close()  # takes no check, like one whose queue is full
    gatekeeper = Gatekeeper(BanTable(lambda: 0.0), verifier)
    decisions = [await gatekeeper.decide(EXTENDED, RIGHT, LOCAL) for _ in range(9)]
    text = "too many keys are being checked; try again in a second"
    assert decisions == [Denied(429, {"error": text}, retry_after=1)] * 9
