import asyncio
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.engine.errors import RunActive, RunStateRefused
from extension.engine.inspector import Inspector
from extension.store.records import EventKind
from extension.store.run_state import RunState
from tests.extension.engine.scenario import all_events, compat_config, ended, honest, inspected, opened, settings

pytestmark = pytest.mark.slow


class Upstream:
    """Answers so many probes, then none until more are allowed."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.allowed = 0
        self.blocked = asyncio.Event()

    async def __call__(self, request: UpstreamRequest) -> Answer:
        self.requests[request.url] += 1
        if self.allowed <= 0:
            self.blocked.set()
            await asyncio.Event().wait()
        self.allowed -= 1
        return reply()


async def landed(inspector: Inspector, run_id: int, count: int) -> None:
    seen = 0
    while (await inspector.runs.get(run_id)).done < count:
        assert await inspector.event_log.wait(seen)
        seen = (await all_events(inspector))[-1].seq


async def test_a_run_that_the_service_left_is_interrupted_and_can_be_resumed(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config([f"p{number}" for number in range(6)]))
    upstream = Upstream()
    gateway.upstream = honest(upstream)
    upstream.allowed = 2
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.runs.start(settings(workers=1), "anna")
        await landed(inspector, run.id, 2)
        await upstream.blocked.wait()
    async with opened(tmp_path, gateway) as inspector:
        interrupted = await inspector.runs.get(run.id)
        assert (interrupted.state, interrupted.done, interrupted.total) == (RunState.INTERRUPTED, 2, 6)
        assert "closed" in interrupted.reason.text
        assert interrupted.finished_at is not None
        before = await inspector.history.results(run.id)
        upstream.allowed = 100
        resumed = await inspector.runs.resume(run.id)
        assert (resumed.id, resumed.state, resumed.finished_at, resumed.reason.text) == (
            run.id,
            RunState.QUEUED,
            None,
            "",
        )
        done = await ended(inspector, run.id)
        assert (done.state, done.done, done.verdicts) == (RunState.FINISHED, 6, {"healthy": 6})
        results = await inspector.history.results(run.id)
        assert results[:2] == before
        states = [event.data["state"] for event in await all_events(inspector) if event.kind is EventKind.RUN_STATE]
    assert states == ["queued", "running", "interrupted", "queued", "running", "finished"]
    assert sorted(upstream.requests.values()) == [1, 1, 1, 1, 1, 2]  # only the account in flight was asked again


@hypothesis_settings(max_examples=5, deadline=None)
@given(
    accounts=st.integers(1, 9),
    workers=st.integers(1, 4),
    pieces=st.lists(st.integers(0, 4), max_size=3),
)
async def test_nobody_with_a_stored_result_is_ever_probed_again(accounts: int, workers: int, pieces: list[int]) -> None:
    gateway = FakeGateway(compat_config([f"p{number}" for number in range(accounts)]))
    upstream = Upstream()
    gateway.upstream = honest(upstream)
    run_id: int | None = None
    with tempfile.TemporaryDirectory() as folder:
        for allowed in [*pieces, accounts]:
            async with opened(Path(folder) / "data", gateway) as inspector:
                stored = set()
                if run_id is None:
                    run_id = (await inspector.runs.start(settings(workers=workers), "anna")).id
                else:
                    stored = {result.attempts[0].url for result in await inspector.history.results(run_id)}
                    if len(stored) == accounts:
                        break
                    await inspector.runs.resume(run_id)
                requests_before = {url: upstream.requests[url] for url in stored}
                upstream.allowed = allowed
                await landed(inspector, run_id, min(accounts, len(stored) + allowed))
                assert {url: upstream.requests[url] for url in stored} == requests_before
        async with opened(Path(folder) / "data", gateway) as inspector:
            (run,) = await inspector.runs.recent()
            results = await inspector.history.results(run.id)
    assert len(results) == len({result.account_id for result in results}) == accounts


async def test_only_what_was_interrupted_or_failed_can_be_resumed(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        run = await inspected(inspector, settings())
        with pytest.raises(RunStateRefused, match=f"Run {run.id} is finished") as caught:
            await inspector.runs.resume(run.id)
        assert "new inspection" in caught.value.hint


async def test_a_run_is_not_resumed_while_another_is_active(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = honest(Upstream())
    async with opened(tmp_path, gateway) as inspector:
        first = await inspector.runs.start(settings(), "anna")
    async with opened(tmp_path, gateway) as inspector:
        second = await inspector.runs.start(settings(), "anna")
        with pytest.raises(RunActive, match=f"Run {second.id} is still active"):
            await inspector.runs.resume(first.id)
        assert (await inspector.runs.get(first.id)).state is RunState.INTERRUPTED


async def test_an_account_that_left_the_pool_meanwhile_is_told_not_probed(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    upstream = Upstream()
    gateway.upstream = honest(upstream)
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.runs.start(settings(workers=1), "anna")
        await asyncio.sleep(0)
    gateway.state.replace_text(compat_config(["beta"]))
    upstream.allowed = 100
    async with opened(tmp_path, gateway) as inspector:
        await inspector.runs.resume(run.id)
        done = await ended(inspector, run.id)
        results = {result.display_name: result for result in await inspector.history.results(run.id)}
    assert (done.state, done.done) == (RunState.FINISHED, 2)
    assert (results["alpha"].verdict, results["alpha"].action, results["alpha"].status) == ("skipped", "keep", None)
    assert "No longer in the pool" in results["alpha"].reason.text
    assert results["beta"].verdict == "healthy"


async def test_a_stop_goes_on_when_whoever_asked_for_it_goes_away(tmp_path: Path) -> None:
    gateway = FakeGateway(compat_config(["alpha", "beta"]))
    gateway.upstream = honest(Upstream())
    async with opened(tmp_path, gateway) as inspector:
        run = await inspector.runs.start(settings(), "anna")
        stopping = asyncio.ensure_future(inspector.runs.stop(run.id))
        await asyncio.sleep(0)
        stopping.cancel()
    async with opened(tmp_path, gateway) as inspector:
        assert (await inspector.runs.get(run.id)).state is RunState.STOPPED
