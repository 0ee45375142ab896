import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from adapter.fake import FakeGateway, UpstreamRequest, reply
from adapter.port import Answer
from extension.store.run_state import RunState
from tests.extension.engine.scenario import compat_config, ended, honest, opened, settings

ROOT = Path(__file__).parents[3]
PROVIDERS, ANSWERED, WORKERS = 30, 11, 4


def killed_in_the_middle(folder: Path) -> list[str]:
    """Let another process run the engine and kill it when it has landed some results; return what it probed."""
    command = [sys.executable, "-m", "tests.extension.engine.dying", str(folder), str(PROVIDERS), str(ANSWERED)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as service:
        assert service.stdout is not None
        probed = []
        for line in service.stdout:
            if line == "landed\n":
                break
            probed.append(line.removeprefix("probe ").strip())
        service.send_signal(signal.SIGKILL)
        probed += [line.removeprefix("probe ").strip() for line in service.stdout]
    assert service.returncode == -signal.SIGKILL
    return probed


async def test_after_kill_9_the_run_is_interrupted_with_its_results_and_resumes_with_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    probed_before = killed_in_the_middle(folder)
    gateway = FakeGateway(compat_config([f"p{number}" for number in range(PROVIDERS)]))
    asked: Counter[str] = Counter()

    def upstream(request: UpstreamRequest) -> Answer:
        asked[request.url] += 1
        return reply()

    gateway.upstream = honest(upstream)
    async with opened(folder, gateway) as inspector:
        (run,) = await inspector.runs.recent()
        assert (run.state, run.done, run.total) == (RunState.INTERRUPTED, ANSWERED, PROVIDERS)
        assert "ended" in run.reason.text
        before = await inspector.history.results(run.id)
        assert len(before) == ANSWERED
        await inspector.runs.resume(run.id)
        done = await ended(inspector, run.id)
        assert (done.state, done.done, done.verdicts) == (RunState.FINISHED, PROVIDERS, {"healthy": PROVIDERS})
        results = await inspector.history.results(run.id)
        asked_on_resume = set(asked)
        await inspector.runs.start(settings(), "anna")  # the lease is free again
    assert results[:ANSWERED] == before
    stored = {result.attempts[0].url for result in before}
    assert not stored & asked_on_resume
    assert len(asked_on_resume) == PROVIDERS - ANSWERED
    again = {url for url in probed_before if url not in stored}
    assert len(again) <= WORKERS
    assert len({result.account_id for result in results}) == PROVIDERS
