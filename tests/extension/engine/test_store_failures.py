import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from adapter.fake import FakeGateway, reply
from extension.engine.inspector import Inspector
from extension.reasons.codes import ReasonCode
from extension.store.run_state import RunState
from tests.extension.engine.scenario import (
    FlyingClock,
    all_events,
    compat_config,
    ended,
    inspected,
    key_of,
    newest_actions,
    opened,
    settings,
)


def execute(folder: Path, statement: str) -> None:
    """Change the schema behind the service's back."""
    with closing(sqlite3.connect(folder / "poolkeeper.db", timeout=10)) as raw, raw:
        raw.execute(statement)


NO_END = (
    "CREATE TRIGGER full BEFORE UPDATE ON runs WHEN NEW.state IN ('finished', 'failed') "
    "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
)


async def without_its_end(inspector: Inspector, folder: Path, **parts: Any) -> int:
    """Inspect everything while the end of a run cannot be stored."""
    execute(folder, NO_END)
    run = await inspector.runs.start(settings(**parts), "anna")
    execution = inspector.runs._execution
    assert execution is not None
    await execution.wait()
    return run.id


async def test_a_run_whose_end_could_not_be_stored_does_not_block_the_next(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        first = await inspector.runs.get(await without_its_end(inspector, tmp_path))
        assert (first.state, first.finished_at) == (RunState.INTERRUPTED, None)
        assert "disk full" in first.reason.text
        assert (await inspector.runs.recent())[0] == first
        execute(tmp_path, "DROP TRIGGER full")
        second = await inspector.runs.start(settings(), "anna")
        assert (await inspector.runs.get(first.id)).state is RunState.INTERRUPTED
        assert (await ended(inspector, second.id)).state is RunState.FINISHED


async def test_a_stop_of_a_run_that_nobody_works_on_ends_it(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        run = await without_its_end(inspector, tmp_path)
        assert (await inspector.runs.stop(run)).state is RunState.STOPPED


@pytest.mark.parametrize("restarted", [True, False])
async def test_a_run_whose_end_could_not_be_stored_is_taken_up_and_does_nothing_twice(
    tmp_path: Path, restarted: bool
) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = lambda _: reply(401)
    async with AsyncExitStack() as stack:
        inspector = await stack.enter_async_context(opened(tmp_path, gateway))
        run = await without_its_end(inspector, tmp_path, autoActionMode="disable", brake=False)
        if restarted:
            await stack.aclose()
            inspector = await stack.enter_async_context(opened(tmp_path, gateway))
        interrupted = await inspector.runs.get(run)
        assert (interrupted.state, interrupted.done, interrupted.total) == (RunState.INTERRUPTED, 2, 2)
        assert interrupted.reason
        execute(tmp_path, "DROP TRIGGER full")
        probes, made = len(gateway.calls), await newest_actions(inspector)
        await inspector.runs.resume(run)
        again = await ended(inspector, run)
        assert (again.state, again.done, again.reason.text) == (RunState.FINISHED, 2, "")
        assert len(gateway.calls) == probes
        assert await newest_actions(inspector) == made
        assert {action.outcome.value for action in made} == {"applied"}


class MendingClock(FlyingClock):
    """A clock at whose first wait there is room on the disk again."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self.waits = 0

    async def sleep(self, seconds: float) -> None:
        self.waits += 1
        if self.waits == 1:
            execute(self._folder, "DROP TRIGGER full")
        await super().sleep(seconds)


async def test_an_end_that_could_not_be_stored_is_tried_again(tmp_path: Path) -> None:
    clock = MendingClock(tmp_path)
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), clock=clock) as inspector:
        run = await inspector.runs.get(await without_its_end(inspector, tmp_path))
        assert (run.state, run.reason.text, clock.waits) == (RunState.FINISHED, "", 1)


async def test_the_stored_reason_of_a_failed_run_holds_no_secret(tmp_path: Path) -> None:
    secret = key_of("alpha")
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"])), secrets=(secret,)) as inspector:
        refusal = f"SELECT RAISE(ABORT, 'no place for {secret}')"
        execute(tmp_path, f"CREATE TRIGGER full BEFORE INSERT ON results BEGIN {refusal}; END")
        run = await inspected(inspector, settings())

        (reason,) = run.reason.items
        assert (run.state, reason.code) == (RunState.FAILED, ReasonCode.STORE_FAILED)
        assert "no place for" in run.reason.text
        assert secret not in run.reason.text
        assert secret not in str([event.data for event in await all_events(inspector)])
