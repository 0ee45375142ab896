"""Streams of the four protocols: the first error or content decides, whatever comes in front of it."""

import pytest

from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.response_check import Flaw, doubt
from tests.extension.inspection.samples import answer

ROLE = '{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}'
WORD = '{"choices":[{"delta":{"content":"pong"}}]}'
FILTERED = '{"choices":[],"prompt_filter_results":[]}'
STARTED = '{"type":"message_start","message":{"content":[],"stop_reason":null}}'
CREATED = '{"type":"response.created","response":{"error":null}}'
PARTS = '{"candidates":[{"content":{"role":"model","parts":[{"text":"pong"}]}}]}'
FAILED = '{"type":"response.failed","response":{"error":{"code":"insufficient_quota"}}}'


def stream(*values: str) -> str:
    return "".join(f"data: {value}\n\n" for value in values)


@pytest.mark.parametrize("endpoint", [ProbeEndpoint.CHAT, ProbeEndpoint.MESSAGES, ProbeEndpoint.GENERATE])
@pytest.mark.parametrize("truncated", [False, True])
@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        (": ping\n\n" + stream(ROLE, WORD), None),
        ("id: 1\nretry: 3\n" + stream(WORD), None),
        ("event: completion\r\n" + stream(WORD).replace("\n", "\r\n"), None),
        (stream(WORD.replace(":[", ":\ndata: [")), None),
        (stream(FILTERED, ROLE, '{"choices":[{"delta":{},"finish_reason":"length"}]}', "[DONE]"), None),
        (stream(ROLE, '{"choices":[{"delta":{"reasoning_content":"hm"}}]}'), None),
        (stream('{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}'), None),
        ("event: message_start\n" + stream(STARTED, '{"delta":{"type":"text_delta","text":"p"}}'), None),
        (stream(STARTED, '{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}'), None),
        ("event: response.created\n" + stream(CREATED, '{"type":"response.output_text.delta","delta":"p"}'), None),
        (stream(CREATED, '{"type":"response.incomplete","response":{"status":"incomplete"}}'), None),
        (stream(PARTS), None),
        (stream('{"candidates":[{"finishReason":"MAX_TOKENS"}]}'), None),
        (stream(ROLE, '{"error":{"code":"invalid_api_key"}}'), Flaw.ERROR),
        (stream(ROLE, '{"error":"quota","choices":[{"finish_reason":"error"}]}'), Flaw.ERROR),
        (stream(STARTED) + "event: error\n" + stream('{"type":"error","error":{"type":"billing_error"}}'), Flaw.ERROR),
        (stream(CREATED, FAILED), Flaw.ERROR),
        (stream(CREATED, '{"type":"error","code":"rate_limit_exceeded"}'), Flaw.ERROR),
        ("id:1\nevent:error\n:HTTP_STATUS/400\n" + 'data:{"code":"Arrearage"}\n\n', Flaw.ERROR),
        (stream('{"error":{"status":"UNAUTHENTICATED"}}'), Flaw.ERROR),
        (stream(ROLE, "[DONE]"), Flaw.INCOMPLETE),
        (stream(FILTERED) + 'data: {"choices":[{"delta":{"content":"po', Flaw.INCOMPLETE),
        (stream(*[ROLE] * 300, WORD), Flaw.INCOMPLETE),
        (": ping\n\n" * 100_000, Flaw.NOT_JSON),
        (stream("pong"), Flaw.NOT_JSON),
    ],
)
def test_the_first_error_or_content_of_a_stream_decides(
    endpoint: ProbeEndpoint, truncated: bool, body: str, flaw: Flaw | None
) -> None:
    assert doubt(endpoint, answer(200, body, truncated=truncated)) is flaw


@pytest.mark.parametrize(
    ("body", "flaw"),
    [
        (f"[{PARTS},\n{PARTS}]", None),
        ('[{"error":{"code":400}}]', Flaw.ERROR),
        ("[{}]", Flaw.INCOMPLETE),
        ("[]", Flaw.OTHER_JSON),
    ],
)
def test_an_array_of_frames_is_a_stream_too(body: str, flaw: Flaw | None) -> None:
    assert doubt(ProbeEndpoint.GENERATE, answer(200, body)) is flaw


def test_a_stream_is_no_list_of_models() -> None:
    assert doubt(ProbeEndpoint.MODELS, answer(200, stream(WORD))) is Flaw.INCOMPLETE
