"""What a run does not send: repetitions beyond the setting, and probes that traffic has answered already."""

from pathlib import Path

import pytest

from adapter.fake import FakeGateway, silent
from adapter.port import Activity
from tests.extension.engine.scenario import FlyingClock, compat_config, honest, inspected, opened, settings


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
