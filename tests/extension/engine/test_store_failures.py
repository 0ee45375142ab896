import sqlite3
from contextlib import closing
from pathlib import Path

from adapter.fake import FakeGateway
from extension.engine.run import RunState
from tests.extension.engine.scenario import compat_config, ended, opened, settings


def execute(folder: Path, statement: str) -> None:
    """Change the schema behind the service's back."""
    with closing(sqlite3.connect(folder / "poolkeeper.db", timeout=10)) as raw, raw:
        raw.execute(statement)


async def test_a_run_whose_results_cannot_be_stored_fails_with_the_reason(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha", "beta", "gamma"]))) as inspector:
        execute(tmp_path, "CREATE TRIGGER full BEFORE INSERT ON results BEGIN SELECT RAISE(ABORT, 'disk full'); END")
        run = await ended(inspector, (await inspector.start(settings(), "anna")).id)
        assert (run.state, run.done) == (RunState.FAILED, 0)
        assert "disk full" in run.reason
        assert "free space" in run.reason
        execute(tmp_path, "DROP TRIGGER full")
        await inspector.resume(run.id)
        assert (await ended(inspector, run.id)).done == 3


async def test_a_run_whose_end_could_not_be_stored_does_not_block_the_next(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        execute(
            tmp_path,
            "CREATE TRIGGER full BEFORE UPDATE ON runs WHEN NEW.state = 'finished' "
            "BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        first = await inspector.start(settings(), "anna")
        execution = inspector._runs._execution
        assert execution is not None
        await execution.wait()
        assert (await inspector.run(first.id)).state is RunState.RUNNING
        execute(tmp_path, "DROP TRIGGER full")
        second = await inspector.start(settings(), "anna")
        assert (await inspector.run(first.id)).state is RunState.INTERRUPTED
        assert (await ended(inspector, second.id)).state is RunState.FINISHED


async def test_a_stop_of_a_run_that_nobody_works_on_ends_it(tmp_path: Path) -> None:
    async with opened(tmp_path, FakeGateway(compat_config(["alpha"]))) as inspector:
        execute(
            tmp_path,
            "CREATE TRIGGER full BEFORE UPDATE ON runs WHEN NEW.state = 'finished' "
            "BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        run = await inspector.start(settings(), "anna")
        execution = inspector._runs._execution
        assert execution is not None
        await execution.wait()
        assert (await inspector.stop(run.id)).state is RunState.STOPPED
