"""Parts of a request that records of the extended profile show, where stock ones do not."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.internal.usage.counts import Dialect
from gateway.internal.usage.record import Caller, Result, Target, Wishes, element
from gateway.internal.usage.tap import Tap


def record(dialect: Dialect, *events: dict[str, Any], lifetimes: bool = True) -> dict[str, Any]:
    streamed = len(events) > 1
    tap = Tap(dialect, streamed=streamed)
    for event in events:
        text = json.dumps(event).encode()
        tap.feed(b"data: " + text + b"\n\n" if streamed else text)
    result = Result(datetime.now(UTC), 1.0, 0.5, reading=tap.finish())
    return dict(element(Caller("1", "POST /"), Target("s"), Wishes(), result, lifetimes=lifetimes))


MESSAGE = {"input_tokens": 100, "output_tokens": 1}
CHAT_USAGE = {"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101}


def start(**usage: Any) -> dict[str, Any]:
    return {"type": "message_start", "message": {"usage": {**MESSAGE, **usage}}}


@pytest.mark.parametrize(
    ("usage", "read", "written", "plain", "reasoning"),
    [
        ({"prompt_cache_hit_tokens": 64}, 64, 0, 20, 0),
        ({"cached_tokens": 60}, 60, 0, 20, 0),
        ({"num_cached_tokens": 60}, 60, 0, 20, 0),
        ({"prompt_token_details": {"cached_tokens": 60}}, 60, 0, 20, 0),
        ({"prompt_tokens_details": {"cached_tokens": 10, "cache_write_tokens": 30}}, 10, 30, 20, 0),
        ({"completion_tokens_details": {"reasoning_tokens": 50}, "total_tokens": 170}, 0, 0, 20, 50),
        ({"completion_tokens_details": {"reasoning_tokens": 15}}, 0, 0, 5, 15),
        ({"completion_tokens_details": {"reasoning_tokens": 70}, "total_tokens": 0}, 0, 0, 20, 70),
        ({"prompt_tokens": 100.0, "prompt_tokens_details": {"cached_tokens": 10.0}}, 10, 0, 20, 0),
    ],
)
def test_every_form_of_an_openai_usage_is_read(
    usage: dict[str, Any], read: int, written: int, plain: int, reasoning: int
) -> None:
    whole = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **usage}
    breakdown = record(Dialect.CHAT, {"usage": whole})["token_breakdown"]
    entered, left = breakdown["input"], breakdown["output"]
    assert (entered["cache_read_tokens"], entered["cache_write_tokens"]) == (read, written)
    assert (left["non_reasoning_tokens"], left["reasoning_tokens"]) == (plain, reasoning)
    assert breakdown["quality"] == "complete"


def test_zeros_at_the_end_of_a_stream_wipe_no_count() -> None:
    end = {"type": "message_delta", "usage": {"input_tokens": 0, "output_tokens": 20}}
    whole = record(Dialect.MESSAGES, start(), end)
    assert (whole["tokens"]["input_tokens"], whole["tokens"]["output_tokens"]) == (100, 20)
    assert "end" in whole["splits"]


def test_a_stream_that_was_cut_does_not_show_its_end() -> None:
    assert "end" not in record(Dialect.MESSAGES, start(), {"type": "ping"})["splits"]


def test_speed_and_searches_are_recorded() -> None:
    usage = {**MESSAGE, "speed": "fast", "server_tool_use": {"web_search_requests": 3}}
    whole = record(Dialect.MESSAGES, {"usage": usage})
    assert (whole["speed"], whole["web_searches"]) == ("fast", 3)
    assert {"searches", "tier", "end"} <= set(whole["splits"])


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"server_tool_use": None}, (None, False)),
        ({"server_tool_use": {"web_search_requests": 2}}, (2, True)),
        ({"num_sources_used": 0}, (None, True)),
        ({"num_sources_used": 6}, (6, True)),
    ],
)
def test_searches_of_a_relay_and_sources_of_xai_are_counted_in_a_chat(
    fields: dict[str, Any], shown: tuple[int | None, bool]
) -> None:
    whole = record(Dialect.CHAT, {"usage": CHAT_USAGE | fields})
    assert (whole.get("web_searches"), "searches" in whole["splits"]) == shown


@pytest.mark.parametrize(
    ("dialect", "fields", "whole"),
    [
        (Dialect.CHAT, {"num_server_side_tools_used": 2}, False),
        (Dialect.RESPONSES, {"num_server_side_tools_used": 2}, False),
        (Dialect.RESPONSES, {"num_sources_used": 6}, False),
        (Dialect.RESPONSES, {"num_server_side_tools_used": 0, "num_sources_used": 0}, True),
    ],
)
def test_calls_of_xais_own_tools_are_billed_beside_what_is_counted(
    dialect: Dialect, fields: dict[str, Any], *, whole: bool
) -> None:
    counted = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    usage = counted if dialect is Dialect.RESPONSES else CHAT_USAGE
    assert ("end" in record(dialect, {"usage": usage | fields, "output": []})["splits"]) is whole


def test_more_cached_tokens_than_input_fit_no_total() -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    whole = record(Dialect.CHAT, {"usage": {**usage, "prompt_tokens_details": {"cached_tokens": 150}}})
    assert (whole["tokens"]["cached_tokens"], whole["token_breakdown"]["quality"]) == (150, "inconsistent")


def test_searches_of_a_response_are_counted_in_its_output() -> None:
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    output = [
        {"type": "web_search_call", "status": "completed", "action": {"type": "search"}},
        {"type": "web_search_call", "status": "completed", "action": {"type": "open_page"}},
        {"type": "web_search_call", "status": "failed", "action": {"type": "search"}},
        {"type": "message"},
    ]
    whole = record(
        Dialect.RESPONSES,
        {"type": "response.created", "response": {"usage": None, "output": []}},
        {"type": "response.completed", "response": {"usage": usage, "output": output}},
    )
    assert (whole["web_searches"], "searches" in whole["splits"]) == (1, True)


@pytest.mark.parametrize(
    ("details", "parts"),
    [
        (None, set()),
        ({"cached_tokens": 0}, {"cache_read"}),
        ({"cached_tokens": 0, "cache_write_tokens": 0}, {"cache_read", "cache_write", "cache_write_1h"}),
    ],
)
def test_a_field_that_is_absent_is_not_shown(details: dict[str, int] | None, parts: set[str]) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, "prompt_tokens_details": details}
    shown = set(record(Dialect.CHAT, {"usage": usage})["splits"])
    assert shown & {"cache_read", "cache_write", "cache_write_1h"} == parts


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("message", True),
        ("mcp_call", True),
        ("image_generation_call", False),
        ("file_search_call", False),
        ("code_interpreter_call", False),
    ],
)
def test_a_paid_tool_hides_its_cost(kind: str, shown: bool) -> None:
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    whole = record(Dialect.RESPONSES, {"usage": usage, "output": [{"type": kind}]})
    assert ("image_tool" in whole["splits"]) is shown


@pytest.mark.parametrize(("place", "shown"), [(None, None), ("global", None), ("us", "us")])
def test_inference_in_a_named_place_is_recorded(place: str | None, shown: str | None) -> None:
    whole = record(Dialect.MESSAGES, {"usage": {**MESSAGE, "inference_geo": place}})
    assert whole.get("inference_geo") == shown


COMPACTION = {"type": "compaction", "input_tokens": 180, "output_tokens": 35, "cache_read_input_tokens": 7}
TURN = {"type": "message", **MESSAGE}


@pytest.mark.parametrize(
    ("iterations", "counts", "whole"),
    [
        ([TURN], (100, 0, 1), True),
        ([COMPACTION, TURN], (280, 7, 36), True),
        ([COMPACTION, COMPACTION, TURN], (460, 14, 71), True),
        ([TURN, {"type": "advisor_message", "input_tokens": 9}], (100, 0, 1), False),
    ],
)
def test_what_a_compaction_read_and_wrote_is_counted(
    iterations: list[dict[str, Any]], counts: tuple[int, int, int], whole: bool
) -> None:
    read = record(Dialect.MESSAGES, {"usage": {**MESSAGE, "iterations": iterations}})
    tokens = read["tokens"]
    assert (tokens["input_tokens"], tokens["cache_read_tokens"], tokens["output_tokens"]) == counts
    assert (read["token_breakdown"]["quality"], "end" in read["splits"]) == ("complete", whole)


CHUNK = {"choices": [{"delta": {"content": '"finish_reason":"stop" [DONE]'}, "finish_reason": None}]}
PART = {"usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 1, "totalTokenCount": 101}}


@pytest.mark.parametrize(
    ("dialect", "chunk", "last", "ended"),
    [
        (Dialect.CHAT, {**CHUNK, "usage": CHAT_USAGE}, "", False),
        (Dialect.CHAT, {**CHUNK, "usage": CHAT_USAGE}, "data: [DONE]", True),
        (Dialect.CHAT, {**CHUNK, "usage": CHAT_USAGE}, 'data: {"choices":[{"finish_reason":"stop"}]}', True),
        (Dialect.GEMINI, PART, "", False),
        (Dialect.GEMINI, PART, 'data: {"candidates":[{"finishReason": "STOP"}]}', True),
        (Dialect.GEMINI, PART, 'data: {"promptFeedback":{"blockReason":"SAFETY"}}', True),
    ],
)
def test_counts_in_each_chunk_are_final_only_after_the_end(
    dialect: Dialect, chunk: dict[str, Any], last: str, ended: bool
) -> None:
    tap = Tap(dialect, streamed=True)
    tap.feed(f"data: {json.dumps(chunk)}\n\n{last}\n\n".encode())
    assert tap.finish().ended is ended


def test_images_and_audio_of_gemini_are_apart() -> None:
    usage = {
        "promptTokenCount": 100,
        "candidatesTokenCount": 1_290,
        "totalTokenCount": 1_390,
        "promptTokensDetails": [{"modality": "AUDIO", "tokenCount": 90}, {"modality": "TEXT", "tokenCount": 10}],
        "candidatesTokensDetails": [{"modality": "IMAGE", "tokenCount": 1_290}],
    }
    whole = record(Dialect.GEMINI, {"usageMetadata": usage})
    assert whole["token_breakdown"]["input"]["audio_tokens"] == 90
    assert whole["token_breakdown"]["output"]["image_tokens"] == 1_290
    assert {"audio", "image"} <= set(whole["splits"])


def test_the_stock_profile_has_the_fields_of_a_stock_record_alone() -> None:
    usage = {**MESSAGE, "speed": "fast", "server_tool_use": {"web_search_requests": 3}}
    assert not {"splits", "speed", "web_searches"} & set(record(Dialect.MESSAGES, {"usage": usage}, lifetimes=False))
