import asyncio
from dataclasses import replace

import bcrypt
import pytest

from gateway.internal.admission.bans import BanTable
from gateway.internal.admission.gatekeeper import Admitted, Denied, Gatekeeper, Rules
from gateway.internal.admission.verifier import Verifier

KEY = "correct horse"
HASH = bcrypt.hashpw(KEY.encode(), bcrypt.gensalt(4)).decode()
LOCAL = "127.0.0.1"
REMOTE = "192.0.2.8"
RULES = Rules(stored_hash=HASH)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gatekeeper(clock: Clock) -> Gatekeeper:
    return Gatekeeper(BanTable(clock), Verifier())


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def denied(status: int, text: str) -> Denied:
    return Denied(status, {"error": text})


async def test_the_right_key_is_let_in(gatekeeper: Gatekeeper) -> None:
    assert await gatekeeper.decide(RULES, bearer(KEY), LOCAL) == Admitted(LOCAL)


async def test_without_any_secret_there_is_nothing_to_enter(gatekeeper: Gatekeeper) -> None:
    assert await gatekeeper.decide(Rules(), bearer(KEY), LOCAL) == Denied(404, {})


async def test_a_remote_caller_is_refused_before_its_key_is_looked_at(gatekeeper: Gatekeeper) -> None:
    assert await gatekeeper.decide(RULES, {}, REMOTE) == denied(403, "remote management disabled")


async def test_allow_remote_lets_a_remote_caller_in(gatekeeper: Gatekeeper) -> None:
    rules = replace(RULES, allow_remote=True)
    assert await gatekeeper.decide(rules, bearer(KEY), REMOTE) == Admitted(REMOTE)


async def test_the_environment_secret_lets_remote_callers_in_too(gatekeeper: Gatekeeper) -> None:
    rules = replace(RULES, environment_secret="from the environment")
    assert await gatekeeper.decide(rules, bearer("from the environment"), REMOTE) == Admitted(REMOTE)
    assert await gatekeeper.decide(rules, bearer(KEY), REMOTE) == Admitted(REMOTE)


async def test_a_local_password_alone_opens_nothing(gatekeeper: Gatekeeper) -> None:
    rules = Rules(local_password="local")
    assert await gatekeeper.decide(rules, bearer("local"), LOCAL) == denied(403, "remote management key not set")


async def test_a_local_password_beside_another_secret_is_good_for_local_callers_only(gatekeeper: Gatekeeper) -> None:
    rules = replace(RULES, local_password="local", allow_remote=True)
    assert await gatekeeper.decide(rules, bearer("local"), "::1") == Admitted("::1")
    assert await gatekeeper.decide(rules, bearer("local"), REMOTE) == denied(401, "invalid management key")


@pytest.mark.parametrize("headers", [{}, bearer("wrong")])
async def test_after_five_failures_even_the_right_key_is_turned_away(
    gatekeeper: Gatekeeper, headers: dict[str, str]
) -> None:
    for _ in range(5):
        await gatekeeper.decide(RULES, headers, LOCAL)
    text = "IP banned due to too many failed attempts. Try again in 30m0s"
    assert await gatekeeper.decide(RULES, bearer(KEY), LOCAL) == Denied(403, {"error": text}, retry_after=1800)


async def test_refusals_of_a_banned_address_do_not_prolong_the_ban(gatekeeper: Gatekeeper, clock: Clock) -> None:
    for _ in range(9):
        await gatekeeper.decide(RULES, {}, LOCAL)
    clock.now = 1800.0
    assert await gatekeeper.decide(RULES, bearer(KEY), LOCAL) == Admitted(LOCAL)


async def test_remote_refusals_do_not_count_as_failures(gatekeeper: Gatekeeper) -> None:
    for _ in range(9):
        await gatekeeper.decide(RULES, {}, REMOTE)
    rules = replace(RULES, allow_remote=True)
    assert await gatekeeper.decide(rules, bearer(KEY), REMOTE) == Admitted(REMOTE)


async def test_a_burst_of_guesses_is_banned_after_the_fifth(gatekeeper: Gatekeeper) -> None:
    guesses = [gatekeeper.decide(RULES, bearer(f"guess {number}"), LOCAL) for number in range(12)]
    answers = await asyncio.gather(*guesses)
    statuses = sorted(answer.status for answer in answers if isinstance(answer, Denied))
    assert statuses == [401] * 5 + [403] * 7


async def test_a_changed_hash_makes_the_old_key_wrong_at_once(gatekeeper: Gatekeeper) -> None:
    await gatekeeper.decide(RULES, bearer(KEY), LOCAL)
    changed = Rules(stored_hash=bcrypt.hashpw(b"another", bcrypt.gensalt(4)).decode())
    assert await gatekeeper.decide(changed, bearer(KEY), LOCAL) == denied(401, "invalid management key")


@pytest.mark.parametrize("key", ["x" * 73, KEY + "\u00fc", "a\0b"])
async def test_an_impossible_key_is_a_wrong_key(gatekeeper: Gatekeeper, key: str) -> None:
    assert await gatekeeper.decide(RULES, bearer(key), LOCAL) == denied(401, "invalid management key")


async def test_a_damaged_hash_lets_nobody_in(gatekeeper: Gatekeeper) -> None:
    rules = Rules(stored_hash="$2a$not-a-hash")
    assert await gatekeeper.decide(rules, bearer(KEY), LOCAL) == denied(401, "invalid management key")


def test_rules_do_not_show_their_secrets() -> None:
    rules = Rules(stored_hash=HASH, environment_secret="env", local_password="local")
    assert not any(secret in repr(rules) for secret in (HASH, "env'", "'local'"))


async def test_a_key_in_utf_8_matches_although_headers_are_latin_1(gatekeeper: Gatekeeper) -> None:
    rules = Rules(stored_hash=bcrypt.hashpw("schlüssel".encode(), bcrypt.gensalt(4)).decode())
    as_received = "schlüssel".encode().decode("latin-1")
    assert await gatekeeper.decide(rules, bearer(as_received), LOCAL) == Admitted(LOCAL)
