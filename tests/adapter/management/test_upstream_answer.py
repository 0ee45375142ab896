import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.management.client.transport import Reply
from adapter.management.upstream_answer import outcome, salvaged
from adapter.port import Answer, NoAnswer, NoAnswerKind, errors

CPA = {"x-cpa-version": "7.2.140"}


def _call(status: int, body: object) -> Reply:
    return Reply(status, CPA, json.dumps(body).encode())


def test_answers_of_calls_are_distinguished() -> None:
    answered = outcome(_call(200, {"status_code": 404, "header": {"A": ["b"]}, "body": "no"}), 0.5)
    assert answered == Answer(404, {"A": ("b",)}, "no", truncated=False, elapsed=0.5)
    silent = outcome(_call(502, {"error": "request failed"}), 0.5)
    assert isinstance(silent, NoAnswer)
    assert silent.kind is NoAnswerKind.UNKNOWN
    unread = outcome(_call(502, {"error": "failed to read response"}), 0.5)
    assert isinstance(unread, NoAnswer)
    assert unread.kind is NoAnswerKind.UNREADABLE
    blocked = outcome(_call(400, {"error": "address not allowed", "kind": "blocked", "detail": "10.0.0.1"}), 0.5)
    assert isinstance(blocked, NoAnswer)
    assert blocked.kind is NoAnswerKind.BLOCKED
    with pytest.raises(errors.Rejected, match="auth token not found"):
        outcome(_call(400, {"error": "auth token not found"}), 0.5)
    with pytest.raises(errors.Unavailable):
        outcome(Reply(502, CPA, b"<html>"), 0.5)
    with pytest.raises(errors.Unavailable):
        outcome(Reply(200, CPA, b"[]"), 0.5)


def test_an_answer_beyond_our_limit_is_unreadable_and_says_so() -> None:
    whole = json.dumps({"status_code": 200, "header": {}, "body": "{" + " " * 3 * 2**20}).encode()
    endless = outcome(Reply(200, CPA, whole[: 2 * 2**20], cut=True), 0.5)
    assert isinstance(endless, NoAnswer)
    assert endless.kind is NoAnswerKind.UNREADABLE
    assert endless.detail == "HTTP 200 with a body that goes on after 2 MiB, as that of a decompression bomb does"


@given(st.text(), st.data())
def test_an_answer_cut_anywhere_in_its_body_is_salvaged(body: str, data: st.DataObject) -> None:
    whole = json.dumps({"status_code": 200, "header": {}, "body": body})
    start = whole.index('"body": "') + len('"body": "')
    cut = data.draw(st.integers(start, len(whole) - 2))
    parsed = json.loads(salvaged(whole[:cut]))
    assert parsed["status_code"] == 200
    shown = parsed["body"]
    # a cut between the two halves of a character leaves the first one
    assert body.startswith(shown[:-1] if shown and "\ud800" <= shown[-1] <= "\udbff" else shown)
