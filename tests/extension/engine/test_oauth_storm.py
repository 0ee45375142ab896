"""An incident at an OAuth vendor, which calls every token revoked for an hour: no file is lost by it."""

from pathlib import Path

import pytest

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.inspection.settings import parse_settings
from extension.store.run_state import RunState
from tests.extension.engine.scenario import FlyingClock, inspected, opened
from tests.extension.inspection.oauth.answers import codex

BAD = frozenset({17, 101})
REVOKED = reply(401, '{"error":{"code":"token_revoked","message":"Encountered invalidated oauth token for user"}}')
WELL = reply(200, codex(10, 20))

CALM = {True: "after a healthy run", False: "at the very first run"}
MODES = ("disable", "delete", "strategy4")
SHORT = [
    pytest.param(
        mode,
        calm,
        200,
        id=f"200-{mode}-{CALM[calm]}",
        marks=[] if (mode, calm) == ("delete", False) else [pytest.mark.soak],
    )
    for mode in MODES
    for calm in CALM
]
"""Storms over 200 files; `make test` takes the one whose mode deletes files."""
LONG = [
    pytest.param(
        mode, calm, 3_000, id=f"3000-{mode}-{CALM[calm]}", marks=[pytest.mark.soak, pytest.mark.timeout(1_200)]
    )
    for mode in MODES
    for calm in CALM
]


def token(number: int) -> str:
    return f"oauth-token-{number:05}-0123456789abcdef"


def files(count: int) -> dict[str, dict[str, str]]:
    return {
        f"codex-{number:05}.json": {
            "type": "codex",
            "email": f"person{number}@example.org",
            "access_token": token(number),
            "account_id": f"account-{number}",
        }
        for number in range(count)
    }


def name(number: int) -> str:
    return f"codex-{number:05}.json"


@pytest.mark.parametrize(("mode", "calm_before", "count"), [*SHORT, *LONG])
async def test_after_an_hour_of_revoked_tokens_every_file_is_there_and_enabled_but_the_bad_ones(
    tmp_path: Path, count: int, mode: str, calm_before: bool
) -> None:
    clock = FlyingClock()
    gateway = FakeGateway("", files(count), clock=clock)
    storm = False

    async def answer(request: UpstreamRequest) -> Answer:
        await clock.advance(0.02)
        number = int(request.header["Authorization"].split("-")[2])
        return REVOKED if storm or number in BAD else WELL

    gateway.upstream = answer
    immediately = {"disable": True, "enable": True, "delete": True}
    chosen = parse_settings(
        {"accountSource": "oauth", "autoActionMode": mode, "realtimeAutoActions": immediately, "workers": 8}
    )
    async with opened(tmp_path, gateway, clock=clock) as inspector:

        async def run(minutes: int) -> None:
            made = await inspected(inspector, chosen)
            assert made.state is RunState.FINISHED
            await clock.advance(minutes * 60)

        if calm_before:
            await run(60)
        storm = True
        for _ in range(5):
            await run(15)
            lost = {number for number in range(count) if name(number) not in gateway.state.files}
            assert lost <= BAD
        storm = False
        for _ in range(2):
            await run(60)
    lost = {number for number in range(count) if name(number) not in gateway.state.files}
    off = {number for number in range(count) if gateway.state.files.get(name(number), {}).get("disabled")}
    assert lost <= BAD
    assert lost | off == BAD
    assert mode != "disable" or not lost
