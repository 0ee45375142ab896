"""Reading the usage out of answers that pass by."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.usage.counts import Dialect
from gateway.internal.usage.tap import LONGEST, Tap
from tests.inference.providers import events, whole

PATHS = {
    Dialect.CHAT: "/v1/chat/completions",
    Dialect.RESPONSES: "/responses",
    Dialect.MESSAGES: "/v1/messages",
    Dialect.GEMINI: "/v1beta/models/m:streamGenerateContent",
}


@given(st.sampled_from(Dialect), st.lists(st.integers(1, 400), max_size=30))
def test_it_does_not_matter_where_a_stream_is_cut_into_pieces(dialect: Dialect, lengths: list[int]) -> None:
    text = b"".join(events(PATHS[dialect], {"stream_options": {"include_usage": True}}))
    tap = Tap(dialect, streamed=True)
    for length in lengths:
        tap.feed(text[:length])
        text = text[length:]
    tap.feed(text)
    counts = tap.finish().counts
    assert (counts.input, counts.output, counts.total) == (5, 2, 7)


@pytest.mark.parametrize("dialect", Dialect)
def test_an_answer_that_is_no_stream_is_read_whole(dialect: Dialect) -> None:
    tap = Tap(dialect, streamed=False)
    for byte in json.dumps(whole(PATHS[dialect], "m")).encode():
        tap.feed(bytes([byte]))
    assert tap.finish().counts.total == 7


def test_a_list_of_parts_is_read_as_one_answer() -> None:
    parts = [{"candidates": []}, {"usageMetadata": {"promptTokenCount": 3}}, {"usageMetadata": {"promptTokenCount": 4}}]
    tap = Tap(Dialect.GEMINI, streamed=False)
    tap.feed(json.dumps(parts).encode())
    assert tap.finish().counts.input == 4


def test_a_line_without_end_costs_no_memory_and_what_follows_is_read() -> None:
    tap = Tap(Dialect.CHAT, streamed=True)
    for _ in range(LONGEST // 65536 + 10):
        tap.feed(b"x" * 65536)
    assert len(tap._pending) <= LONGEST
    tap.feed(b'\ndata: {"usage": {"total_tokens": 3}}\n')
    assert tap.finish().counts.total == 3


@pytest.mark.parametrize(
    ("dialect", "document"),
    [
        (Dialect.CHAT, {"service_tier": "flex"}),
        (Dialect.RESPONSES, {"response": {"service_tier": "flex"}}),
        (Dialect.MESSAGES, {"usage": {"service_tier": "flex"}}),
    ],
)
def test_the_tier_an_answer_was_served_in_is_noted(dialect: Dialect, document: dict[str, object]) -> None:
    tap = Tap(dialect, streamed=True)
    tap.feed(f"data: {json.dumps(document)}\n".encode())
    assert tap.finish().service_tier == "flex"
