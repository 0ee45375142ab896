"""Log of a probe."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from adapter.fake import FakeGateway, reply, silent
from adapter.fake.upstream import Reply
from adapter.port import Activity, FileRef, GatewayError
from adapter.port.errors import NotOwned
from adapter.privacy.secret import Redactor
from extension.engine.outage import Outage
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.runs.exchange import Exchange
from extension.engine.runs.loop_lag import STEP_SECONDS, TOLERATED_SECONDS, LoopLag
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.probes.plan import plan_probe
from extension.inspection.settings import parse_settings
from extension.store.records import ActionOutcome
from tests.extension.engine.scenario import (
    FILES,
    FlyingClock,
    compat_config,
    honest,
    inspected,
    key_of,
    newest_actions,
    opened,
    settings,
)

BODY = json.dumps({"data": [], "note": "a body worth a line"})


async def logged(path: Path, answer: Reply, capsys: pytest.CaptureFixture[str], **parts: Any) -> dict[str, Any]:
    """Probe one account and return its line of the log."""
    gateway = FakeGateway(compat_config(["alpha"]))
    gateway.upstream = honest(lambda _: answer)
    async with opened(path, gateway) as inspector:
        await inspected(inspector, settings(retries=0, **parts))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    (line,) = [line for line in lines if line["event"] == "probe"]
    return dict(line)


async def test_the_log_of_a_200_has_no_body(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = await logged(tmp_path, reply(200, BODY), capsys)

    assert (line["status"], line["verdict"]) == (200, "healthy")
    assert "preview" not in line
    assert "worth a line" not in json.dumps(line)


@pytest.mark.parametrize("status", [201, 302, 401, 403, 429, 500])
async def test_the_log_of_any_other_status_has_a_shortened_preview(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    line = await logged(tmp_path, reply(status, BODY + "x" * 5000), capsys, previewCharacters=40)

    assert line["status"] == status
    assert line["preview"].startswith(BODY[:30])
    assert len(line["preview"]) <= 41


async def test_the_log_of_a_timeout_says_what_happened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = await logged(tmp_path, silent(), capsys)

    assert (line["status"], line["verdict"]) == (0, "unreachable")
    assert line["preview"]


async def test_the_log_never_holds_the_key_even_where_the_upstream_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = key_of("alpha")
    line = await logged(tmp_path, reply(401, json.dumps({"error": f"no such key: {key}"})), capsys)

    assert line["preview"] == "Not shown: the answer may repeat a key."
    assert all(key[at : at + 5] not in json.dumps(line["preview"]) for at in range(len(key) - 4))


SETTLED = 3.0


@pytest.mark.parametrize("settled", [0.0, SETTLED])
async def test_a_result_is_as_old_as_its_answer(tmp_path: Path, settled: float) -> None:
    clock = FlyingClock()
    gateway = FakeGateway(compat_config(["alpha"]), clock=clock)
    gateway.upstream = honest(lambda _: replace(reply(401), settled=settled))
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, settings(retries=0))
        (result,) = await inspector.history.results(run.id, 0, 10)
        assert clock.now_ms() - result.at == settled * 1000


@pytest.mark.parametrize(("retries", "sent"), [(0, 2), (1, 2), (3, 4)])
async def test_a_request_that_nobody_answered_is_repeated_as_often_as_set_with_pauses(
    tmp_path: Path, retries: int, sent: int
) -> None:
    gateway, clock = FakeGateway(compat_config(["alpha"])), FlyingClock()
    gateway.upstream = lambda _: silent()
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        run = await inspected(inspector, settings(retries=retries))
        (result,) = await inspector.history.results(run.id)
    assert (result.verdict, len(result.attempts), len(gateway.calls)) == ("unreachable", sent, sent)
    assert (clock.monotonic() > 0) is (retries > 1)


@pytest.mark.parametrize(("chosen", "probed"), [(False, {"alpha", "beta"}), (True, {"beta"})])
async def test_accounts_whose_own_traffic_went_well_are_spared_if_wanted(
    tmp_path: Path, chosen: bool, probed: set[str]
) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = honest()
    for account in (await gateway.accounts()).accounts:
        failures = 0 if account.compat_name == "alpha" else 1
        gateway.state.activity[account.names[0]] = Activity(successes=5, failures=failures)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(evidenceFirst=chosen))
        results = {result.display_name: result for result in await inspector.history.results(run.id)}
    assert {name for name, result in results.items() if result.verdict == "healthy"} == probed
    if chosen:
        assert (results["alpha"].verdict, results["alpha"].action) == ("skipped", "keep")
        assert "succeeded 5 times" in results["alpha"].reason.text


REVOKED = reply(401, '{"error":{"code":"token_revoked"}}')
USAGE = reply(200, '{"rate_limit":{"primary_window":{"used_percent":5,"limit_window_seconds":18000}}}')
TEN_MINUTES = 600.0
ANNA = FileRef("anna.json")


async def recommended(path: Path, gateway: FakeGateway, clock: FlyingClock, mode: str = "none") -> dict[str, str]:
    """Inspect all files in a service of its own, as after a restart, and return what is recommended for each."""
    async with opened(path, gateway, clock=clock) as inspector:
        settings = parse_settings({"accountSource": "oauth", "targetType": "codex", "autoActionMode": mode})
        run = await inspected(inspector, settings)
        results = await inspector.history.results(run.id, 0, 10)
        return {result.display_name: result.action for result in results}


async def test_a_revoked_log_in_is_disabled_first_and_deleted_when_seen_again_ten_minutes_later(
    tmp_path: Path,
) -> None:
    gateway, clock = FakeGateway("", FILES), FlyingClock()
    gateway.script(ANNA, REVOKED)

    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "disable"}
    await clock.advance(TEN_MINUTES - 60)
    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "disable"}
    await clock.advance(60)
    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "delete"}


async def test_a_log_in_that_was_well_in_between_is_not_deleted(tmp_path: Path) -> None:
    gateway, clock = FakeGateway("", FILES), FlyingClock()
    for answer in (REVOKED, USAGE):
        gateway.script(ANNA, answer)
        await recommended(tmp_path, gateway, clock)
        await clock.advance(TEN_MINUTES)
    gateway.script(ANNA, REVOKED)

    assert await recommended(tmp_path, gateway, clock) == {"anna@example.org": "disable"}


async def test_a_run_that_may_delete_does_so_only_after_the_second_sighting(tmp_path: Path) -> None:
    gateway, clock = FakeGateway(compat_config(["alpha"]), FILES), FlyingClock()
    gateway.script(ANNA, REVOKED)

    await recommended(tmp_path, gateway, clock, "delete")
    assert ANNA in {account.ref for account in (await gateway.accounts()).accounts}
    await clock.advance(TEN_MINUTES)
    await recommended(tmp_path, gateway, clock, "delete")

    refs = {account.ref for account in (await gateway.accounts()).accounts}
    assert ANNA not in refs
    assert len(refs) == 2
    async with opened(tmp_path, gateway, clock=clock) as inspector:
        (deletion,) = await newest_actions(inspector)
        assert (deletion.action, deletion.outcome) == ("delete", ActionOutcome.APPLIED)
        assert (await inspector.listing.view(Selection(Source.OAUTH))).statistics.total == 1


class Slow:
    """A loop whose time and timers a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[Callable[[], None]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> "Slow":
        assert delay == STEP_SECONDS
        self.due.append(callback)
        return self

    def cancel(self) -> None:
        self.due.clear()

    def turn(self, seconds: float) -> None:
        self.now += seconds
        (callback,) = self.due
        self.due.clear()
        callback()


def test_a_loop_in_time_has_no_lag_and_a_late_one_sums_up() -> None:
    loop = Slow()
    with LoopLag(cast("asyncio.AbstractEventLoop", loop)) as lag:
        for _ in range(10):
            loop.turn(STEP_SECONDS + 0.001)
        assert lag.seconds == 0
        loop.turn(STEP_SECONDS + 2)
        loop.turn(STEP_SECONDS + 1)
        assert lag.seconds == pytest.approx(3 - 2 * TOLERATED_SECONDS)


def test_a_delay_under_way_counts_already() -> None:
    loop = Slow()
    with LoopLag(cast("asyncio.AbstractEventLoop", loop)) as lag:
        loop.now += STEP_SECONDS + 5
        assert lag.seconds == pytest.approx(5 - TOLERATED_SECONDS)
    assert loop.due == []


async def _judged(path: Path, answer: Reply, delay: float, *failures: GatewayError) -> tuple[str, int | None]:
    """Probe one account while our own loop is late for so many seconds, and return status and latency."""
    gateway = FakeGateway(compat_config(["alpha"]))
    late = 0.0

    def script(_: object) -> Reply:
        nonlocal late
        late += delay
        return answer

    gateway.upstream = script
    chosen, clock, chance = settings(retries=0, timeoutSeconds=10), FlyingClock(), Random(1)
    gateway.fail("call", *failures)
    async with opened(path, gateway) as inspector:
        (account,) = (await inspector.listing.view(Selection(Source.API_KEY))).accounts
    listed_account = (await gateway.accounts()).accounts[0]
    listed = ListedAccount(account.id, Source.API_KEY, account.facts, listed_account)
    outage = Outage(gateway, clock, chance)
    exchange = Exchange(
        gateway, clock, Redactor(), settings=chosen, random=chance, run_id=1, outage=outage, lag=lambda: late
    )
    _, judgement = await exchange.judged(listed, plan_probe(listed_account, chosen, chance))
    return judgement.verdict.value, judgement.latency_ms


async def test_a_timeout_while_our_own_loop_was_late_is_no_verdict(tmp_path: Path) -> None:
    assert (await _judged(tmp_path / "late", silent(), 4))[0] == "unknown"
    assert (await _judged(tmp_path / "in time", silent(), 0.1))[0] == "unreachable"


async def test_the_time_our_own_loop_was_late_is_taken_off_the_latency_by_half(tmp_path: Path) -> None:
    slow = reply(200, '{"data":[]}', elapsed=3.0)
    assert await _judged(tmp_path, slow, 2.5) == ("healthy", 1750)


@pytest.mark.parametrize("delay", [0.03, 1.0])
async def test_an_upstream_that_worked_while_our_own_loop_was_late_keeps_half_of_its_time(
    tmp_path: Path, delay: float
) -> None:
    assert await _judged(tmp_path, reply(200, '{"data":[]}', elapsed=0.022), delay) == ("healthy", 11)


async def test_a_probe_waits_while_its_process_cannot_confirm_that_it_owns_the_gateway(tmp_path: Path) -> None:
    unowned = [NotOwned("Nothing was sent.") for _ in range(5)]
    assert (await _judged(tmp_path, reply(200, '{"data":[]}'), 0, *unowned))[0] == "healthy"


def test_a_request_within_a_delay_is_late_by_no_more_than_its_own_time() -> None:
    loop = Slow()
    with LoopLag(cast("asyncio.AbstractEventLoop", loop)) as lag:
        loop.now += STEP_SECONDS + TOLERATED_SECONDS - 0.001
        began = lag.seconds
        loop.turn(0.005)
        assert lag.seconds - began <= 0.005
