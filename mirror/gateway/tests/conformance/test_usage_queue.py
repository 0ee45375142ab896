"""The usage queue, the counters of keys, and resetting a quota."""

import json
from pathlib import Path

import pytest

from tests.conformance.usage_pool import chat, pool
from tests.inference.pools import records

QUEUE = "/v0/management/usage-queue"


async def test_the_queue_hands_out_one_record_unless_told_otherwise_and_keeps_none(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        for _ in range(4):
            await chat(served)
        sizes = []
        for query in ("", "?count=2", "?count=5", ""):
            answer = await served.request("GET", QUEUE + query)
            assert isinstance(answer.json, list)
            sizes.append(len(answer.json))
        assert sizes == [1, 2, 1, 0]
        assert (await served.request("GET", f"{QUEUE}?count={2**63 - 1}")).json == []


@pytest.mark.parametrize("count", ["x", "0", "-1", "1.5", "%20", str(2**63), "99999999999999999999"])
async def test_a_count_that_is_none_is_refused(tmp_path: Path, count: str) -> None:
    async with pool(tmp_path) as (served, _):
        answer = await served.request("GET", f"{QUEUE}?count={count}")
        assert (answer.status, answer.json) == (400, {"error": "count must be a positive integer"})


async def test_turning_the_statistics_off_records_nothing_more_and_leaves_what_waits(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        path = "/v0/management/usage-statistics-enabled"
        await chat(served)
        await chat(served)
        for on in (False, True):
            answer = await served.request("PUT", path, json={"value": on})
            assert (answer.status, answer.json) == (200, {"status": "ok"})
            assert (await served.request("GET", path)).json == {"usage-statistics-enabled": on}
            if not on:
                await chat(served)
                assert len(json.loads((await served.request("GET", QUEUE)).body)) == 1
        await chat(served)
        assert len(await records(served)) == 2


async def test_without_a_management_interface_no_records_are_kept(tmp_path: Path) -> None:
    async with pool(tmp_path) as (served, _):
        await chat(served)
        text = served.runtime.text
        (tmp_path / "config.yaml").write_text(
            text[: text.index("remote-management")] + "usage-statistics-enabled: true\n"
        )
        await served.runtime.reload()
        assert served.runtime.traffic.usage.recording is False
        assert served.runtime.traffic.usage.pop(5) == ()
