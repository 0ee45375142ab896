"""A stock gateway that loses, in a reload of its own, what it was told and has confirmed."""

import copy
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Applied, Change, Section, Uncertain
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.served import served
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude
from tests.contract.pool import key_of

CLAUDE, CODEX = "claude-api-key", "codex-api-key"
INSTALLATION_KEY = bytes(range(32))


@pytest.fixture
def clock() -> HastyClock:
    return HastyClock()


@pytest.fixture
async def connection(place: Place, clock: HastyClock) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY), clock)
    opened.bind(INSTALLATION_KEY)
    yield opened
    await opened.close()


async def _changes(
    connection: ManagementConnection, *sections: Section, number: int = 0, disabled: bool = True
) -> list[Change]:
    pool = await connection.gateway.accounts()
    accounts = [key_of(pool, section, number + more) for section in sections for more in range(2)]
    return [Change(account.ref, disabled=disabled, expect=account.revision) for account in accounts]


def _forgetting(stand_in: StandIn, section: str, times: int) -> None:
    """Let the stand-in answer so many writes of a section, and then remember what it was before."""
    before = copy.deepcopy(stand_in.sections[section])
    remaining = times

    async def forget(request: web.Request) -> web.StreamResponse | None:
        nonlocal remaining
        if request.method == "PUT" and request.path.endswith(section) and stand_in.sections[section] != before:
            remaining -= 1
            if remaining >= 0:
                stand_in.sections[section] = copy.deepcopy(before)
        return None

    stand_in.applied = forget


async def test_a_change_the_gateway_loses_is_taken_back_and_written_again(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _changes(connection, Section.CLAUDE)
    _forgetting(stand_in, CLAUDE, 1)
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"] * 3
    assert [entry.get("excluded-models") for entry in stand_in.sections[CLAUDE]] == [["*"], ["*"], None]


async def test_a_gateway_that_loses_it_again_and_again_is_told_of_and_left_as_it_was(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    changes = await _changes(connection, Section.CLAUDE)
    _forgetting(stand_in, CLAUDE, 99)
    for outcome in await connection.gateway.set_disabled(changes):
        assert isinstance(outcome, Uncertain)
        assert "lost it in a reload of its own: the section reads back as before" in outcome.why
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"] * 5
    assert stand_in.sections[CLAUDE] == [claude(number) for number in range(3)]


async def test_a_lost_change_is_not_repeated_over_what_somebody_else_wrote_meanwhile(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock
) -> None:
    changes = await _changes(connection, Section.CLAUDE)
    _forgetting(stand_in, CLAUDE, 1)
    written_at: float | None = None

    async def theirs(request: web.Request) -> web.StreamResponse | None:
        nonlocal written_at
        if written_at is None and request.method == "PUT":
            written_at = clock.monotonic()
        if written_at is not None and clock.monotonic() > written_at + 1.5:
            stand_in.sections[CLAUDE][2]["prefix"] = "theirs"
        return None

    stand_in.before = theirs
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Uncertain, Uncertain]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]
    assert stand_in.sections[CLAUDE] == [claude(0), claude(1), claude(2, prefix="theirs")]


@pytest.mark.parametrize("disabled", [True, False])
async def test_a_change_that_stays_without_effect_is_taken_back_and_written_again(
    stand_in: StandIn, connection: ManagementConnection, disabled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not disabled:
        off = [claude(number, **{"excluded-models": ["*"]}) for number in range(2)]
        stand_in.sections[CLAUDE] = [*off, claude(2)]
        stand_in.reload()
    changes = await _changes(connection, Section.CLAUDE, disabled=disabled)
    reload, loads = stand_in.reload, 0

    def first_skipped() -> None:
        nonlocal loads
        loads += 1
        if loads > 1:
            reload()

    monkeypatch.setattr(stand_in, "reload", first_skipped)
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert loads == 3
    assert stand_in.live == stand_in.sections
    assert sum(bool(entry.get("excluded-models")) for entry in stand_in.sections[CLAUDE]) == (2 if disabled else 0)


async def test_a_reload_that_never_comes_is_told(
    stand_in: StandIn, connection: ManagementConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = await _changes(connection, Section.CLAUDE)
    monkeypatch.setattr(stand_in, "reload", lambda: None)
    for outcome in await connection.gateway.set_disabled(changes):
        assert isinstance(outcome, Uncertain)
        assert "It is written, but has had no effect for 20 seconds" in outcome.why


async def test_a_section_that_is_undone_while_another_is_written_is_written_again(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    stand_in.sections[CODEX] = [claude(number) for number in range(20, 23)]
    stand_in.reload()
    before = copy.deepcopy(stand_in.sections[CLAUDE])
    changes = await _changes(connection, Section.CLAUDE, Section.CODEX)
    undone = False

    async def undo(request: web.Request) -> web.StreamResponse | None:
        nonlocal undone
        if request.method == "PUT" and request.path.endswith(CODEX) and not undone:
            stand_in.sections[CLAUDE] = before
            undone = True
        return None

    stand_in.applied = undo
    outcomes = await connection.gateway.set_disabled(changes)
    assert [type(outcome) for outcome in outcomes] == [Applied] * 4
    assert undone
    for section in (CLAUDE, CODEX):
        assert [entry.get("excluded-models") for entry in stand_in.sections[section]] == [["*"], ["*"], None]


async def test_the_next_section_waits_until_the_reload_of_the_last_is_over(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock
) -> None:
    stand_in.sections[CODEX] = [claude(number) for number in range(20, 23)]
    stand_in.reload()
    changes = await _changes(connection, Section.CLAUDE, Section.CODEX)
    times: list[float] = []

    async def note(request: web.Request) -> web.StreamResponse | None:
        if request.method == "PUT":
            times.append(clock.monotonic())
        return None

    stand_in.before = note
    await connection.gateway.set_disabled(changes)
    (first, second) = times
    assert second - first >= 0.5


async def test_after_a_write_that_was_passed_on_ours_waits_as_well(
    connection: ManagementConnection, clock: HastyClock
) -> None:
    changes = await _changes(connection, Section.CLAUDE)
    headers = {"X-Management-Key": KEY}
    async with served(connection.fallback) as front, aiohttp.ClientSession(headers=headers) as principal:
        before = clock.monotonic()
        async with (
            principal.get(f"{front}/v0/management/debug") as read,
            principal.post(f"{front}/v0/management/api-call", json={}) as called,
        ):
            assert (read.status, called.status) == (200, 200)
        await connection.gateway.set_disabled(changes[:1])
        assert clock.monotonic() - before < 2
        before = clock.monotonic()
        async with principal.put(f"{front}/v0/management/{CODEX}", json=[claude(20)]) as written:
            assert written.status == 200
        await connection.gateway.set_disabled(changes[1:])
        assert clock.monotonic() - before >= 2


async def test_what_is_switched_on_is_waited_for_until_it_serves(stand_in: StandIn, place: Place) -> None:
    stand_in.sections[CLAUDE] = [claude(number, **{"excluded-models": ["*"]}) for number in range(3)]
    stand_in.reload()
    stand_in.reload_seconds = 0.3
    connection = ManagementConnection(place.address, Secret(KEY))
    connection.bind(INSTALLATION_KEY)
    outcomes = await connection.gateway.set_disabled(await _changes(connection, Section.CLAUDE, disabled=False))
    assert [type(outcome) for outcome in outcomes] == [Applied, Applied]
    assert not stand_in.live[CLAUDE][0].get("excluded-models")
    await connection.close()
