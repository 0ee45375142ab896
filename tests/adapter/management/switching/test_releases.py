"""Status changes by the rules of each release, and the outcome where an effect cannot be seen."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from adapter.management import ManagementConnection
from adapter.port import Applied, Change, Section
from adapter.privacy.secret import Secret
from tests.adapter.management.hasty_clock import HastyClock
from tests.adapter.management.stand_in import KEY, Place, StandIn, claude
from tests.contract.pool import compat, key_of

CLAUDE = "claude-api-key"
STATUS = "PATCH /v0/management/auth-files/status"
MARKED = {"proxy-url": "http://127.0.0.1:3128", "prefix": "team", "headers": {"X-Team": "a"}}
"""Fields of an entry that are in its id since v7.2.138."""


@pytest.fixture
def clock() -> HastyClock:
    return HastyClock()


@pytest.fixture
async def connection(place: Place, clock: HastyClock) -> AsyncIterator[ManagementConnection]:
    opened = ManagementConnection(place.address, Secret(KEY), clock)
    opened.bind(bytes(range(32)))
    yield opened
    await opened.close()


def _of_release(stand_in: StandIn, version: str, *, off: bool = False) -> None:
    stand_in.version = {"X-CPA-VERSION": version}
    patterns = {"excluded-models": ["*"]} if off else {}
    stand_in.sections[CLAUDE] = [claude(0, **MARKED, **patterns), claude(1, **MARKED, **patterns)]
    stand_in.reload()


async def _switch(connection: ManagementConnection, *numbers: int, disabled: bool) -> list[type]:
    pool = await connection.gateway.accounts()
    accounts = [key_of(pool, Section.CLAUDE, number) for number in numbers]
    changes = [Change(account.ref, disabled=disabled, expect=account.revision) for account in accounts]
    return [type(outcome) for outcome in await connection.gateway.set_disabled(changes)]


@pytest.mark.parametrize("version", ["7.2.5", "7.2.100", "7.2.137", "7.2.138", "7.2.140", "dev"])
@pytest.mark.parametrize("disabled", [True, False])
async def test_one_key_is_switched_by_the_id_of_its_release(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock, version: str, disabled: bool
) -> None:
    _of_release(stand_in, version, off=not disabled)
    started = clock.monotonic()
    assert await _switch(connection, 0, disabled=disabled) == [Applied]
    assert stand_in.wrote() == [STATUS]
    assert clock.monotonic() - started < 1


@pytest.mark.parametrize("version", ["6.10.8", "7.0.0", "7.1.47", "7.2.0", "7.2.4"])
async def test_a_release_without_a_status_of_keys_is_switched_through_the_section(
    stand_in: StandIn, connection: ManagementConnection, version: str
) -> None:
    _of_release(stand_in, version)
    assert await _switch(connection, 0, disabled=True) == [Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]
    assert [entry.get("excluded-models") for entry in stand_in.sections[CLAUDE]] == [["*"], None]


@pytest.mark.parametrize("version", ["6.10.8", "7.1.47", "7.2.0", "7.2.100"])
@pytest.mark.parametrize("disabled", [True, False])
async def test_a_later_twin_that_an_old_release_goes_past_is_written_once_and_named(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock, version: str, disabled: bool
) -> None:
    patterns = {} if disabled else {"excluded-models": ["*"]}
    stand_in.version = {"X-CPA-VERSION": version}
    stand_in.sections[CLAUDE] = [claude(1), claude(0, **patterns), claude(0, prefix="team", **patterns)]
    stand_in.reload()
    pool = await connection.gateway.accounts()
    twin, first = key_of(pool, Section.CLAUDE, 2), key_of(pool, Section.CLAUDE, 1)
    started = clock.monotonic()

    (outcome,) = await connection.gateway.set_disabled([Change(twin.ref, disabled=disabled, expect=twin.revision)])

    assert isinstance(outcome, Applied)
    assert outcome.twin == "claude-api-key[1]"
    assert len(stand_in.wrote()) == 1
    assert stand_in.sections[CLAUDE][2].get("excluded-models", []) == (["*"] if disabled else [])
    assert clock.monotonic() - started < 5
    (outcome,) = await connection.gateway.set_disabled([Change(first.ref, disabled=disabled)])
    assert isinstance(outcome, Applied)
    assert outcome.twin == ""


@pytest.mark.parametrize("version", ["7.2.100", "7.2.140"])
async def test_keys_switched_on_together_are_seen_in_effect_without_a_second_write(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock, version: str
) -> None:
    _of_release(stand_in, version, off=True)
    started = clock.monotonic()
    assert await _switch(connection, 0, 1, disabled=False) == [Applied, Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]
    assert clock.monotonic() - started < 1


@pytest.mark.parametrize("version", ["6.10.8", "7.1.47"])
async def test_an_entry_without_a_key_that_a_release_never_loads_is_written_once(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock, version: str
) -> None:
    stand_in.version = {"X-CPA-VERSION": version}
    stand_in.sections[CLAUDE] = [claude(0), {**claude(1), "api-key": "", "excluded-models": ["*"]}]
    stand_in.reload()
    started = clock.monotonic()
    assert await _switch(connection, 1, disabled=False) == [Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]
    assert clock.monotonic() - started < 10


async def _no_models(request: web.Request) -> web.StreamResponse | None:
    """Know no id, as a release with a rule of its own would."""
    if request.path.endswith("auth-files/models"):
        return web.json_response({"models": []}, headers={"X-CPA-VERSION": "7.2.140"})
    return None


async def test_an_effect_that_cannot_be_seen_leaves_the_decision_to_the_section_read_back(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock
) -> None:
    _of_release(stand_in, "7.2.140", off=True)
    stand_in.sections[CLAUDE].append(claude(2))
    stand_in.reload()
    stand_in.before = _no_models
    started = clock.monotonic()
    assert await _switch(connection, 0, 1, disabled=False) == [Applied, Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]
    assert not any(entry.get("excluded-models") for entry in stand_in.sections[CLAUDE])
    assert clock.monotonic() - started < 10


async def test_trouble_with_reading_the_effect_is_no_reason_to_switch_back(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    async def fail(request: web.Request) -> web.StreamResponse | None:
        broken = request.path.endswith("auth-files/models")
        return web.json_response({"error": "busy"}, status=500, headers=stand_in.version) if broken else None

    _of_release(stand_in, "7.2.140")
    stand_in.before = fail
    assert await _switch(connection, 0, 1, disabled=True) == [Applied, Applied]
    assert stand_in.wrote() == [f"PUT /v0/management/{CLAUDE}"]


async def test_a_write_provably_without_effect_is_given_up_in_less_time_than_a_caller_waits(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _of_release(stand_in, "7.2.140")
    monkeypatch.setattr(stand_in, "reload", lambda: None)
    started = clock.monotonic()
    await _switch(connection, 0, 1, disabled=True)
    assert clock.monotonic() - started < 100


async def test_entries_a_release_ignores_do_not_delay_the_others(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock
) -> None:
    _of_release(stand_in, "7.2.100")
    stand_in.sections[CLAUDE].append(claude(2))
    started = clock.monotonic()
    assert await _switch(connection, 0, 1, disabled=True) == [Applied, Applied]
    assert clock.monotonic() - started < 5


async def test_an_absent_path_of_an_old_release_is_no_foreign_server(
    stand_in: StandIn, connection: ManagementConnection
) -> None:
    _of_release(stand_in, "7.0.0")
    stand_in.absent = {"xai-api-key", "interactions-api-key"}
    pool = await connection.gateway.accounts()
    assert sum(account.provider == "claude" for account in pool.accounts) == 2


@pytest.mark.parametrize("disabled", [True, False])
async def test_an_index_that_lingers_after_a_provider_was_switched_off_delays_nothing(
    stand_in: StandIn, connection: ManagementConnection, clock: HastyClock, disabled: bool
) -> None:
    _of_release(stand_in, "7.0.0")
    stand_in.lingering = True
    account = compat(await connection.gateway.accounts(), "solo" if disabled else "dark")
    assert (account.probeable, account.listed) == (disabled, disabled)
    started = clock.monotonic()
    (outcome,) = await connection.gateway.set_disabled([Change(account.ref, disabled=disabled)])
    assert isinstance(outcome, Applied)
    assert len(stand_in.wrote()) == 1
    assert clock.monotonic() - started < 1
