import asyncio
import json
import random

import pytest
from aiohttp import web

from adapter.clock import FakeClock
from adapter.management import ManagementConnection
from adapter.port import Answer, Applied, Change, Conflict, OutboundCall, Pool, Section, Uncertain, errors
from adapter.privacy.secret import Secret
from tests.adapter.management.indexes import index_of
from tests.adapter.management.stand_in import KEY, Place, StandIn, broken, claude
from tests.contract.pool import compat, key_of

CLAUDE = "claude-api-key"


async def _keys(connection: ManagementConnection, *numbers: int, disabled: bool = True) -> list[Change]:
    pool = await connection.gateway.accounts()
    return [_change(pool, number, disabled=disabled) for number in numbers]


def _change(pool: Pool, number: int, *, disabled: bool) -> Change:
    account = key_of(pool, Section.CLAUDE, number)
    return Change(account.ref, disabled=disabled, expect=account.revision)


@pytest.mark.usefixtures("brief_pauses")
async def test_a_gateway_that_restarts_in_mid_run_is_waited_for_by_reads_only(
    stand_in: StandIn, place: Place, connection: ManagementConnection
) -> None:
    account = key_of(await connection.gateway.accounts(), Section.CLAUDE)
    await place.stop()
    with pytest.raises(errors.Unavailable, match="does not answer"):
        await connection.gateway.call(OutboundCall(account.ref, "GET", "http://127.0.0.1:9/"), timeout=5)
    listing = asyncio.create_task(connection.gateway.accounts())
    await asyncio.sleep(0)
    await place.start()
    assert len((await listing).accounts) == 5
    assert stand_in.answers == []


async def test_a_gateway_that_stays_away_is_given_up_with_a_clear_message(place: Place) -> None:
    await place.stop()
    clock = FakeClock()
    connection = ManagementConnection(place.address, Secret(KEY), clock)
    connection.bind(bytes(range(32)))
    asking = asyncio.create_task(connection.gateway.accounts())
    while not asking.done():
        sleeping = asyncio.create_task(clock.sleeping())
        await asyncio.wait({asking, sleeping}, return_when=asyncio.FIRST_COMPLETED)
        sleeping.cancel()
        await clock.advance(30)
    with pytest.raises(errors.Unavailable, match=r"does not answer: .*Is it running\?"):
        await asking
    await connection.close()


async def test_a_reload_that_comes_after_the_answer_is_waited_for(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.reload_seconds = 0.3
    dark = compat(await connection.gateway.accounts(), "dark")
    (on,) = await connection.gateway.set_disabled([Change(dark.ref, disabled=False)])
    assert isinstance(on, Applied)
    assert compat(await connection.gateway.accounts(), "dark").probeable
    (off, other) = await connection.gateway.set_disabled(await _keys(connection, 0, 1))
    assert isinstance(off, Applied)
    assert isinstance(other, Applied)
    assert stand_in.live[CLAUDE][0]["excluded-models"] == ["*"]


async def test_a_write_whose_answer_is_lost_is_settled_by_reading_and_never_sent_again(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _keys(connection, 0, 2)

    async def lose(request: web.Request) -> web.StreamResponse | None:
        return await broken(request) if request.method == "PUT" else None

    stand_in.applied = lose
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]


async def test_a_write_that_was_lost_on_its_way_is_uncertain_and_never_sent_again(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _keys(connection, 0, 2)

    async def lose(request: web.Request) -> web.StreamResponse | None:
        return await broken(request) if request.method == "PUT" else None

    stand_in.before = lose
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Uncertain, Uncertain]
    for outcome in outcomes:
        assert isinstance(outcome, Uncertain)
        assert "It was sent and not confirmed (The gateway at http://127.0.0.1:" in outcome.why
        assert "the section reads as before" in outcome.why
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]
    assert stand_in.sections[CLAUDE] == [claude(number) for number in range(3)]


async def test_what_somebody_else_writes_before_our_write_survives(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _keys(connection, 0, 2)
    reads = 0

    async def interfere(request: web.Request) -> web.StreamResponse | None:
        nonlocal reads
        if request.method == "GET" and request.path.endswith(CLAUDE):
            reads += 1
            if reads == 1:
                stand_in.sections[CLAUDE].insert(0, claude(9, prefix="theirs"))
                stand_in.reload()
        return None

    stand_in.applied = interfere
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert stand_in.sections[CLAUDE][0] == claude(9, prefix="theirs")
    assert [entry.get("excluded-models") for entry in stand_in.sections[CLAUDE]] == [None, ["*"], None, ["*"]]


async def test_an_entry_somebody_else_changes_before_our_write_is_a_conflict(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _keys(connection, 0, 2)
    reads = 0

    async def interfere(request: web.Request) -> web.StreamResponse | None:
        nonlocal reads
        reads += request.method == "GET" and request.path.endswith(CLAUDE)
        if reads == 1:
            stand_in.sections[CLAUDE][2]["excluded-models"] = ["claude-3-*"]
        return None

    stand_in.applied = interfere
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Conflict]
    assert stand_in.sections[CLAUDE][2]["excluded-models"] == ["claude-3-*"]


async def test_what_somebody_else_writes_after_our_write_is_reported(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _keys(connection, 0, 1)

    async def interfere(request: web.Request) -> web.StreamResponse | None:
        if request.method == "PUT":
            stand_in.sections[CLAUDE][2]["prefix"] = "theirs"
        return None

    stand_in.applied = interfere
    outcomes = await connection.gateway.set_disabled(changes)
    for outcome in outcomes:
        assert isinstance(outcome, Uncertain)
        assert "(3)" in outcome.why
        assert "another client writes too" in outcome.why
    assert stand_in.sections[CLAUDE][2]["prefix"] == "theirs"


async def test_a_list_that_came_back_shorter_is_reported(stand_in: StandIn, connection: ManagementConnection) -> None:
    changes = await _keys(connection, 0, 1)

    async def drop(request: web.Request) -> web.StreamResponse | None:
        if request.method == "PUT":
            stand_in.sections[CLAUDE].pop()
        return None

    stand_in.applied = drop
    outcomes = await connection.gateway.set_disabled(changes)
    assert all(isinstance(outcome, Uncertain) for outcome in outcomes)


async def test_an_index_that_went_stale_is_no_evidence_about_the_key(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    account = key_of(await connection.gateway.accounts(), Section.CLAUDE)
    del stand_in.sections[CLAUDE][0]
    stand_in.reload()
    with pytest.raises(errors.UnknownCredential):
        await connection.gateway.call(OutboundCall(account.ref, "GET", "http://127.0.0.1:9/"), timeout=5)
    assert stand_in.answers[0]["auth_index"] == index_of("sk-claude-00000")


async def test_refusals_that_come_together_share_one_look_at_the_pool(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.sections[CLAUDE] = [claude(number) for number in range(40)]
    stand_in.reload()
    pool = await connection.gateway.accounts()
    read = stand_in.requests.count(f"GET /v0/management/{CLAUDE}")
    answers = await asyncio.gather(
        *(
            connection.gateway.call(OutboundCall(account.ref, "GET", "http://127.0.0.1:9/"), timeout=5)
            for account in pool.accounts
            if account.provider == "claude"
        )
    )
    assert {answer.status for answer in answers if isinstance(answer, Answer)} == {401}
    assert len(answers) == len(stand_in.answers) == 40
    assert stand_in.requests.count(f"GET /v0/management/{CLAUDE}") - read <= 6


async def test_a_gateway_that_hangs_is_no_evidence_about_the_key(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    account = key_of(await connection.gateway.accounts(), Section.CLAUDE)

    async def hang(request: web.Request) -> web.StreamResponse | None:
        if request.path.endswith("api-call"):
            await asyncio.Event().wait()
        if request.path.endswith("debug"):
            return web.Response(status=503, headers=stand_in.version)
        return None

    await connection.gateway.describe()
    stand_in.before = hang
    connection.client._chance = random.Random(1)
    connection.client._clock = _Impatient()
    with pytest.raises(errors.Unavailable, match="HTTP 503"):
        await connection.gateway.call(OutboundCall(account.ref, "GET", "http://127.0.0.1:9/"), timeout=0.05)


class _Impatient(FakeClock):
    """Waits for nothing."""

    async def sleep(self, seconds: float) -> None:
        del seconds
        await asyncio.sleep(0)


async def test_a_thousand_keys_are_listed_switched_and_compared(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.sections[CLAUDE] = [claude(number) for number in range(1_000)]
    stand_in.reload()
    before = json.dumps(stand_in.sections[CLAUDE])
    changes = await _keys(connection, *range(0, 1_000, 20))
    outcomes = await connection.gateway.set_disabled(changes)
    assert {type(outcome) for outcome in outcomes} == {Applied}
    assert len(stand_in.wrote()) == 1
    assert sum(bool(entry.get("excluded-models")) for entry in stand_in.sections[CLAUDE]) == 50
    for entry in stand_in.sections[CLAUDE]:
        entry.pop("excluded-models", None)
    assert json.dumps(stand_in.sections[CLAUDE]) == before
