"""Answers that nobody sends in good faith: a run judges them like any other, and what it found can be read."""

import asyncio
import json
from pathlib import Path

import pytest

from adapter.fake import FakeGateway, reply
from adapter.port import Answer
from tests.extension.running_service import CONFIG, KEY, OWN, Running, running

RIGHT = {"X-Management-Key": KEY}
CODEX = {"anna.json": {"type": "codex", "email": "anna@example.org", "access_token": "token-of-anna"}}
KIMI = {"kim.json": {"type": "kimi", "email": "kim@example.org", "access_token": "token-of-kim"}}
HUGE = 10**300
LONE = "\\ud83d"
"""Half of a character outside the basic plane, as JSON escapes it."""


def codex(window: str) -> Answer:
    return reply(200, f'{{"rate_limit":{{"primary_window":{window}}}}}')


async def found(house: Running, source: str) -> str:
    """Inspect a source and answer its results, as the interface shows and exports them."""
    async with asyncio.timeout(10):
        run = await house.finished_run(RIGHT, accountSource=source)
    shown = await house.get(f"{OWN}/inspections/results?run={run}", headers=RIGHT)
    exported = await house.get(f"{OWN}/inspections/export?run={run}&format=jsonl", headers=RIGHT)
    assert (shown.status, exported.status) == (200, 200)
    assert len(shown.json["results"]) == len(exported.text.splitlines()) > 0
    assert "unknown" not in {result["verdict"] for result in shown.json["results"]}
    json.dumps(shown.json, ensure_ascii=False).encode()
    return shown.text


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        (CODEX, codex(f'{{"used_percent":100,"limit_window_seconds":18000,"reset_at":{HUGE}}}')),
        (CODEX, codex('{"used_percent":1e308,"limit_window_seconds":1e308}')),
        (KIMI, reply(200, '{"usage":{"limit":1e-300,"used":1e300}}')),
        (KIMI, reply(200, '{"limits":[{"window":{"duration":1e308,"timeUnit":"WEEK"},"limit":1,"used":1}]}')),
        (KIMI, reply(200, f'{{"limits":[{{"name":"{LONE}","limit":1,"used":1}}]}}')),
    ],
)
async def test_a_usage_answer_with_values_nobody_counts_in_is_judged_and_can_be_read(
    tmp_path: Path, files: dict[str, dict[str, str]], answer: Answer
) -> None:
    gateway = FakeGateway("", files, management_key=KEY)
    gateway.upstream = lambda _: answer

    async with running(tmp_path / "data", gateway) as house:
        assert await found(house, "oauth")


async def test_windows_without_end_are_no_usage_answer_and_do_not_fill_the_database(tmp_path: Path) -> None:
    gateway = FakeGateway("", KIMI, management_key=KEY)
    limits = [{"name": "w" * 1000, "limit": 1, "used": 1}] * 900
    gateway.upstream = lambda _: reply(200, json.dumps({"limits": limits}))

    async with running(tmp_path / "data", gateway) as house:
        assert len(await found(house, "oauth")) < 10_000


@pytest.mark.parametrize(
    "answer",
    [
        reply(429, "{}", {"Retry-After": "\udcff", "Server": "\udcfe"}),
        reply(429, f'{{"error":{{"message":"slow down","reset_at":"{LONE}"}}}}'),
        reply(401, "\udcff no"),
    ],
)
async def test_bytes_that_are_no_text_are_shown_as_such(tmp_path: Path, answer: Answer) -> None:
    gateway = FakeGateway(CONFIG, management_key=KEY)
    gateway.upstream = lambda _: answer

    async with running(tmp_path / "data", gateway) as house:
        assert await found(house, "api_key")
