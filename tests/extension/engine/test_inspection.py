import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from adapter.clock import FakeClock
from adapter.fake import FakeGateway, UpstreamRequest, reply, silent
from adapter.port import About, Answer, KeyRef, NoAnswer, OutboundCall, errors
from extension.engine.errors import NothingToInspect, RunActive, RunUnknown
from extension.engine.inspector import Inspector
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.settings import InspectionSettings, parse_settings
from extension.store.records import EventKind, WindowRecord
from extension.store.run_state import RunState
from tests.extension.engine.scenario import (
    FILES,
    all_events,
    compat_config,
    ended,
    honest,
    inspected,
    numbers,
    opened,
    refs,
    settings,
    with_own_key,
)

NAMES = ["alpha", "beta", "gamma", "delta"]


@pytest.fixture
def gateway() -> FakeGateway:
    made = FakeGateway(compat_config(NAMES), FILES)
    made.upstream = honest()
    return made


async def test_a_run_judges_every_account_in_scope_and_counts(inspector: Inspector, gateway: FakeGateway) -> None:
    ref = await refs(gateway)
    gateway.script(ref["beta"], reply(401, '{"error":{"message":"no"}}'))
    gateway.script(ref["gamma"], silent())
    started = await inspector.runs.start(settings(), "anna")
    assert (started.state, started.total, started.done) == (RunState.QUEUED, 4, 0)
    run = await ended(inspector, started.id)
    assert run.state is RunState.FINISHED
    assert run.started_by == "anna"
    assert run.finished_at is not None
    assert run.verdicts == {"healthy": 2, "invalid_key": 1, "unreachable": 1}
    assert run.recommendations == {"keep": 2, "disable": 2}
    results = await inspector.history.results(run.id)
    assert {result.display_name: (result.verdict, result.status) for result in results} == {
        "alpha": ("healthy", 200),
        "beta": ("invalid_key", 401),
        "gamma": ("unreachable", 0),
        "delta": ("healthy", 200),
    }
    view = await inspector.listing.view(Selection(Source.API_KEY))
    assert {account.facts.display_name: account.last_result for account in view.accounts} == {
        result.display_name: result for result in results
    }


async def test_the_log_tells_a_run_from_its_beginning_to_its_end(tmp_path: Path, gateway: FakeGateway) -> None:
    async with opened(tmp_path, gateway) as inspector:
        run = await inspected(inspector, settings(workers=1))
        log = [event for event in await all_events(inspector) if event.run_id == run.id]
        results = await inspector.history.results(run.id)
    states = [event.data["state"] for event in log if event.kind is EventKind.RUN_STATE]
    assert states == ["queued", "running", "finished"]
    progress = [event.data["done"] for event in log if event.kind is EventKind.RUN_PROGRESS]
    assert progress == [1, 2, 3, 4]
    seqs = [seq for event in log if event.kind is EventKind.RESULT for seq in event.data["seqs"]]
    assert seqs == [result.seq for result in results]
    assert [event.seq for event in log] == sorted(event.seq for event in log)


async def test_the_timeout_and_the_retries_of_the_settings_count(tmp_path: Path, gateway: FakeGateway) -> None:
    class Listening(FakeGateway):
        timeouts: ClassVar[Counter[float]] = Counter()

        async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - the port's
            self.timeouts[timeout] += 1
            return await super().call(request, timeout=timeout)

    del gateway
    listening = Listening(compat_config(["alpha"]))
    listening.upstream = lambda _: silent()
    async with opened(tmp_path, listening) as inspector:
        run = await inspected(inspector, settings(timeoutSeconds=3, retries=4))
        (result,) = await inspector.history.results(run.id)
    assert listening.timeouts == {3: 5}
    assert len(result.attempts) == 5


async def test_each_oauth_file_is_checked_by_its_own_type_where_the_vendors_are(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    gateway.upstream = lambda request: reply(401 if "wham" in request.url else 200, '{"five_hour":{"utilization":7}}')
    run = await inspected(inspector, InspectionSettings())
    assert run.verdicts == {"relogin_needed": 1, "healthy": 1}
    assert {call.url for call in gateway.calls} == {
        "https://chatgpt.com/backend-api/wham/usage",
        "https://api.anthropic.com/api/oauth/usage",
    }


async def test_each_window_of_a_quota_is_kept_with_use_threshold_and_end(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    windows = {
        "five_hour": {"utilization": 91.5, "resets_at": "2030-01-01T05:00:00Z"},
        "seven_day": {"utilization": 40},
        "seven_day_opus": {"utilization": 99},
    }
    gateway.upstream = lambda request: reply(401 if "wham" in request.url else 200, json.dumps(windows))
    limits = parse_settings({"shortWindowPercent": 90, "longWindowPercent": 80})
    run = await inspected(inspector, limits)
    results = {result.verdict: result for result in await inspector.history.results(run.id)}
    assert results["out_of_quota"].windows == (
        WindowRecord("5 h", "", 91.5, 90, 18_000, 1_893_474_000_000),
        WindowRecord("weekly", "", 40.0, 80, 604_800, None),
        WindowRecord("weekly opus", "", 99.0, None, 604_800, None),
    )
    assert results["out_of_quota"].resets_at == 1_893_474_000_000
    assert (results["relogin_needed"].windows, results["relogin_needed"].resets_at) == ((), None)


async def test_trouble_with_the_gateway_says_nothing_about_a_key(inspector: Inspector, gateway: FakeGateway) -> None:
    refusal = errors.Rejected("token_not_found", "The account holds no credential to send.")
    gateway.fail("call", refusal, refusal)
    run = await inspected(inspector, settings(workers=1))
    results = await inspector.history.results(run.id)
    assert run.state is RunState.FINISHED
    assert run.verdicts == {"unknown": 2, "healthy": 2}
    assert [(result.verdict, result.action) for result in results[:2]] == [("unknown", "keep")] * 2
    assert "holds no credential" in results[0].reason.text


async def test_a_gateway_that_is_away_for_a_while_is_waited_for(inspector: Inspector, gateway: FakeGateway) -> None:
    gateway.fail("call", errors.Unavailable("The gateway is starting."), errors.TimedOut("Too slow."))
    run = await inspected(inspector, settings(workers=1))
    assert (run.state, run.verdicts) == (RunState.FINISHED, {"healthy": 4})


@pytest.mark.parametrize("error", [errors.Unauthorised("Our key is refused."), errors.Banned("We are locked out.")])
async def test_a_gateway_that_refuses_us_ends_the_run_with_the_reason(
    inspector: Inspector, gateway: FakeGateway, error: errors.GatewayError
) -> None:
    gateway.fail("call", error)
    run = await inspected(inspector, settings(workers=1))
    assert (run.state, run.reason.text, run.done) == (RunState.FAILED, error.text, 0)
    assert len(gateway.calls) == 0
    again = await inspector.runs.resume(run.id)
    assert (await ended(inspector, again.id)).state is RunState.FINISHED


async def test_a_surprise_is_the_result_of_its_account_without_being_quoted(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    def upstream(_: UpstreamRequest) -> Answer:
        raise ZeroDivisionError("the secret is sk-0123456789")

    gateway.upstream = upstream
    run = await inspected(inspector, settings())
    reasons = {result.reason.text for result in await inspector.history.results(run.id)}
    assert (run.state, set(run.verdicts)) == (RunState.FINISHED, {"unknown"})
    assert all("ZeroDivisionError" in reason and "sk-" not in reason for reason in reasons)


async def test_a_stop_discards_what_is_not_started_and_keeps_what_has_landed(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    ref = await refs(gateway)
    reached = asyncio.Event()

    async def never(_: UpstreamRequest) -> Answer:
        reached.set()
        await asyncio.Event().wait()
        raise AssertionError("it waits until it is cancelled")

    gateway.script(ref["beta"], never)
    run = await inspector.runs.start(settings(workers=1), "anna")
    await reached.wait()
    stopped = await inspector.runs.stop(run.id)
    assert (stopped.state, stopped.done, stopped.reason.text) == (RunState.STOPPED, 1, "Stopped by command.")
    assert stopped.finished_at is not None
    assert [call.account for call in with_own_key(gateway)] == [ref["alpha"], ref["beta"]]
    assert await inspector.runs.stop(run.id) == stopped
    assert (await inspector.runs.start(settings(), "anna")).id != run.id


async def test_an_account_is_found_by_the_name_it_is_shown_with(inspector: Inspector, gateway: FakeGateway) -> None:
    assert set(await numbers(inspector)) == set(NAMES)
    assert set(await numbers(inspector, Source.OAUTH)) == {"anna@example.org", "ben@example.org"}
    assert all(isinstance(ref, KeyRef) for ref in (await refs(gateway)).values())


async def test_a_run_that_is_stopped_as_soon_as_it_was_started_ends_and_leaves_room(
    inspector: Inspector, gateway: FakeGateway
) -> None:
    async def never(_: UpstreamRequest) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError("it waits until it is cancelled")

    gateway.upstream = never
    run = await inspector.runs.start(settings(), "anna")
    stopped = await inspector.runs.stop(run.id)
    assert (stopped.state, stopped.done) == (RunState.STOPPED, 0)
    assert (await inspector.runs.start(settings(), "anna")).id == run.id + 1


async def test_a_sample_probes_so_many_accounts_and_no_more(inspector: Inspector, gateway: FakeGateway) -> None:
    run = await inspected(inspector, settings(sampleSize=2))
    assert (run.total, run.done) == (2, 2)
    assert len(with_own_key(gateway)) == 2


async def test_a_pool_has_one_run_at_a_time(inspector: Inspector, gateway: FakeGateway) -> None:
    gate = asyncio.Event()

    async def upstream(_: UpstreamRequest) -> Answer:
        await gate.wait()
        return reply()

    gateway.upstream = upstream
    first = await inspector.runs.start(settings(), "anna")
    both = await asyncio.gather(
        inspector.runs.start(settings(), "ben"), inspector.runs.start(settings(), "eve"), return_exceptions=True
    )
    assert all(isinstance(error, RunActive) and error.run_id == first.id for error in both)
    gate.set()
    await ended(inspector, first.id)
    second = await inspector.runs.start(settings(), "ben")
    assert [run.id for run in await inspector.runs.recent()] == [second.id, first.id]


async def test_two_starts_at_once_make_one_run(inspector: Inspector) -> None:
    both = await asyncio.gather(
        inspector.runs.start(settings(), "anna"), inspector.runs.start(settings(), "ben"), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in both) == ["RunActive", "RunRecord"]


async def test_a_new_run_comes_on_top_of_the_kept_ones_and_is_compared_with_them(
    tmp_path: Path, gateway: FakeGateway
) -> None:
    async with opened(tmp_path, gateway, keep_runs=1) as inspector:
        first, second, third = [(await inspected(inspector, settings())).id for _ in range(3)]
        assert first not in {run.id for run in await inspector.runs.recent()} == {third, second}
        assert (await inspector.history.difference(third)).against == second


async def test_an_empty_scope_is_refused_with_what_to_do(inspector: Inspector) -> None:
    with pytest.raises(NothingToInspect, match="The pool has no API keys in that scope") as caught:
        await inspector.runs.start(settings(providerFilter="nobody"), "anna")
    assert "another filter" in caught.value.hint
    assert await inspector.runs.recent() == ()


async def test_a_gateway_that_cannot_be_read_starts_no_run(inspector: Inspector, gateway: FakeGateway) -> None:
    gateway.fail("accounts", errors.Unavailable("Not there."))
    with pytest.raises(errors.Unavailable):
        await inspector.runs.start(settings(), "anna")
    gateway.fail("describe", errors.Unavailable("Not there."))
    with pytest.raises(errors.Unavailable):
        await inspector.runs.start(settings(), "anna")
    assert await inspector.runs.recent() == ()
    await inspector.runs.start(settings(), "anna")


async def test_what_is_unknown_is_told(inspector: Inspector) -> None:
    for asking in (
        inspector.runs.get(9),
        inspector.runs.stop(9),
        inspector.runs.resume(9),
        inspector.history.results(9),
    ):
        with pytest.raises(RunUnknown, match="There is no run 9"):
            await asking


async def test_the_latency_says_apart_what_the_gateway_itself_costs(tmp_path: Path) -> None:
    class Slow(FakeGateway):
        async def describe(self) -> About:
            return replace(await super().describe(), seconds_per_call=0.0625)

    async with opened(tmp_path, Slow(compat_config(NAMES)), clock=FakeClock(5_000)) as inspector:
        run = await inspector.runs.start(settings(), "anna")
        assert run.gateway_seconds_per_call == 0.0625
        assert run.started_at == 5_000
