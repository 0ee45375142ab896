"""Confirmation of refusals: what is asked, and what ends it."""

import asyncio
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest
from adapter.port import Answer, errors
from extension.engine.automation.second_look import RefusedProbes, SecondLook
from extension.inspection.settings import parse_settings
from tests.extension.engine.scenario import ended, fleet, opened
from tests.extension.engine.test_storm_recovery import HEALTHY, INVALID, off


async def test_an_error_of_the_gateway_ends_all_requests() -> None:
    asked: list[int] = []

    async def banned(account_id: int) -> bool:
        asked.append(account_id)
        await asyncio.sleep(0)
        raise errors.Banned("Our address is locked out.")

    with pytest.raises(errors.Banned):
        await SecondLook(RefusedProbes(), banned, at_once=2).unconfirmed(range(50))
    await asyncio.sleep(0.01)
    assert len(asked) <= 4


async def test_no_more_accounts_are_asked_side_by_side_than_allowed() -> None:
    most = now = 0

    async def refused(account_id: int) -> bool:
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return account_id % 2 == 0

    look = SecondLook(RefusedProbes(), refused, at_once=3)
    assert await look.unconfirmed(range(20)) == frozenset(range(1, 20, 2))
    assert most == 3


@pytest.mark.parametrize("is_over", [True, False], ids=["the wall is gone", "the keys are bad"])
async def test_refusals_from_before_a_crash_are_checked_anew(tmp_path: Path, *, is_over: bool) -> None:
    gateway = FakeGateway(fleet({"one": 40}))
    held = asyncio.Event()
    refusing = True

    async def upstream(request: UpstreamRequest) -> Answer:
        key = request.header["x-api-key"]
        if "-0030-" in key and refusing and not held.is_set():
            held.set()
            await asyncio.Event().wait()
        return INVALID if refusing and any(each in key for each in ("-0003-", "-0004-")) else HEALTHY

    gateway.upstream = upstream
    given = {"accountSource": "api_key", "autoActionMode": "disable", "workers": 1, "evidenceChecks": False}
    later = {"disable": False, "enable": False, "delete": False}
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.start(parse_settings({**given, "realtimeAutoActions": later}), "anna")
        await held.wait()
    assert off(gateway) == set()
    refusing = not is_over
    async with opened(tmp_path, gateway) as inspector:
        await inspector.resume(run.id)
        await ended(inspector, run.id)
    assert len(off(gateway)) == (0 if is_over else 2)
