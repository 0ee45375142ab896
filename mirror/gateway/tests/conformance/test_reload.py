"""Noticing what others write into config.yaml, however they do it, and whatever it is."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from gateway.internal.runtime import Runtime
from tests.conformance.editing import WAYS, Watched, edited, watched
from tests.disk import Disk


@pytest.mark.parametrize("first", list(WAYS))
@pytest.mark.parametrize("second", ["in_place", "rename_over", "swap_link"])
async def test_an_edit_is_seen_however_it_is_made_and_so_is_the_next_one(
    tmp_path: Path, first: str, second: str
) -> None:
    async with watched(tmp_path) as watching:
        for retry, way in ((2, first), (3, second), (4, first)):
            WAYS[way](watching.path, edited(watching, retry))
            await watching.look()
            assert watching.runtime.configuration.request_retry == retry


HALF = "auth-dir: auths\nclaude-api-key:\n  - api-key: 'sk-never-clos"


@pytest.mark.parametrize(
    "broken",
    [
        "",
        " \n\n",
        HALF,
        "request-retry: [1\n",
        "request-retry: many\n",
        "- a list\n",
        "claude-api-key: [{api-key: sk-secret, weight: 1000001}]\n",
        None,
    ],
)
async def test_the_last_good_state_stays_the_log_says_so_once_and_a_repair_counts(
    tmp_path: Path, broken: str | None
) -> None:
    async with watched(tmp_path) as watching:
        with capture_logs() as logs:
            watching.path.unlink() if broken is None else watching.path.write_text(broken)
            await watching.look(4)
            if broken is not None:
                watching.path.write_text(broken)
                await watching.look(4)
        assert watching.runtime.configuration.request_retry == 1
        assert [entry["log_level"] for entry in logs] == ["error"]
        assert not any(word in str(logs) for word in ("sk-secret", "sk-never-clos"))
        watching.path.write_text(edited(watching, 5))
        await watching.look()
        assert watching.runtime.configuration.request_retry == 5


STATES = st.sampled_from(["", "port: [\n", "a: 'half", *(f"request-retry: {number}\n" for number in range(1, 4))])


def said(text: str) -> int | None:
    """Return what a text says, None when it cannot be used."""
    return int(text.split(":")[1]) if text.startswith("request-retry") else None


@settings(max_examples=60)
@given(st.lists(st.tuples(STATES, st.integers(0, 3)), max_size=12))
async def test_what_counts_is_always_the_last_usable_text_that_rested(steps: list[tuple[str, int]]) -> None:
    disk = Disk({"/g/config.yaml": b"request-retry: 0\n"})
    runtime = Runtime(Path("/g/config.yaml"), environment={}, files=disk, watch=False)
    await runtime.start()
    watching = Watched(runtime)
    await watching.settle()
    counts, looked_at = 0, ["request-retry: 0\n"]
    for text, looks in (*steps, ("request-retry: 9\n", 2)):
        disk.contents[Path("/g/config.yaml")] = text.encode()
        for _ in range(looks):
            await watching.look(1)
            rested, looked_at = looked_at[-1] == text, [*looked_at, text]
            counts = said(text) or counts if rested and said(text) is not None else counts
            assert runtime.configuration.request_retry == counts
    await runtime.stop()
    assert runtime.configuration.request_retry == 9
