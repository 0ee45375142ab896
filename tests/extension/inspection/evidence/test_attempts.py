from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.port import NoAnswerKind
from adapter.privacy.secret import HIDDEN, Redactor
from extension.inspection.evidence.attempts import headers_of, preview_of, problem_of, summarise
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, Stage
from extension.reasons.reason import ReasonList
from tests.extension.inspection.samples import Reply, answer, judged, key_account, planned, silence

BY_SHAPE = Redactor()


def attempt_at(reply: Reply, base_url: str = "http://127.0.0.1:9") -> Attempt:
    return Attempt(planned(key_account(base_url=base_url)).requests[Stage.PRIMARY], reply)


def test_a_200_leaves_no_preview() -> None:
    assert preview_of(answer(200, "anything"), 280, BY_SHAPE) == ""


@pytest.mark.parametrize("status", [201, 302, 401, 500])
def test_any_other_answer_leaves_its_beginning_on_one_line(status: int) -> None:
    assert preview_of(answer(status, ' {"a":\n\t"b"}\x00 '), 280, BY_SHAPE) == '{"a": "b"}'


@pytest.mark.parametrize(("length", "shown"), [(0, ""), (1, "…"), (5, "abcd…"), (10, "abcdefghij"), (99, "abcdefghij")])
def test_the_preview_has_at_most_the_length_asked_for(length: int, shown: str) -> None:
    assert preview_of(answer(500, "abcdefghij"), length, BY_SHAPE) == shown


def test_no_answer_leaves_what_happened_as_its_preview() -> None:
    assert judged(key_account(), silence(), silence()).preview == "timeout: no answer within 15 s"


@given(st.integers(0, 400), st.integers(1, 300), st.integers(0, 40_000))
def test_a_secret_is_hidden_before_the_preview_is_cut(before: int, length: int, after: int) -> None:
    secret = "Quill-and-Ink-47-Kestrel"
    body = "." * before + secret + "." * after

    preview = preview_of(answer(500, body), length, Redactor([secret]))

    assert len(preview) <= length
    assert all(secret[start : start + 5] not in preview for start in range(len(secret) - 4))


@given(st.integers(0, 30_000), st.integers(1, 4000), st.integers(1, 300))
def test_a_secret_halved_by_the_bound_of_a_large_body_does_not_show(shift: int, length: int, repeats: int) -> None:
    secret = "Quill-and-Ink-47-Kestrel"
    body = "," * shift + f"{secret}," * repeats * 8

    preview = preview_of(answer(500, body), length, Redactor([secret]))

    assert "Quil" not in preview


def test_five_megabytes_are_previewed_like_a_small_body() -> None:
    preview = preview_of(answer(500, "x" * 5_000_000), 280, BY_SHAPE)

    assert len(preview) <= 280


def test_the_headers_that_explain_are_kept_and_cookies_are_not() -> None:
    received = {
        "Retry-After": "30",
        "X-RateLimit-Remaining": "0",
        "anthropic-ratelimit-requests-reset": "2030-01-01T00:00:00Z",
        "Content-Type": "text/html",
        "Set-Cookie": "session=1",
        "Date": "now",
        "Location": "https://user:pass@h.example/login?token=abc",
    }

    assert headers_of(answer(429, "", received), BY_SHAPE) == {
        "anthropic-ratelimit-requests-reset": "2030-01-01T00:00:00Z",
        "content-type": "text/html",
        "location": "https://h.example/login",
        "retry-after": "30",
        "x-ratelimit-remaining": "0",
    }


def test_headers_are_redacted_short_and_few() -> None:
    received = {f"x-ratelimit-{number}": "sk-abcdefghijklmnop" for number in range(40)} | {"server": "s" * 999}

    stored_headers = headers_of(answer(429, "", received), BY_SHAPE)

    assert len(stored_headers) == 20
    assert set(stored_headers.values()) <= {HIDDEN, "s" * 200}


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (answer(500), ""),
        (silence(NoAnswerKind.DNS, "no such host"), "dns: no such host"),
        (silence(NoAnswerKind.CONNECT, ""), "connect"),
        (silence(NoAnswerKind.BLOCKED, "private"), "The gateway does not call this address (private)."),
        (GatewayTrouble(ReasonList(written="its key is refused")), "its key is refused"),
    ],
)
def test_an_attempt_without_answer_says_why(reply: Reply, problem: str) -> None:
    assert problem_of(attempt_at(reply), BY_SHAPE) == problem


def test_the_attempt_list_shows_no_user_information() -> None:
    (line,) = summarise([attempt_at(answer(401), "http://me:secret@127.0.0.1:9/base")], BY_SHAPE)

    assert (line.method, line.url) == ("GET", "http://127.0.0.1:9/base/v1/models")
    assert (line.status, line.latency_ms, line.problem) == (401, 250, "")


def test_an_attempt_does_not_print_what_was_answered() -> None:
    assert "body" not in repr(attempt_at(answer(401, "the body"))).replace("body=''", "")


def test_an_answer_that_repeats_a_key_shows_neither_body_nor_headers() -> None:
    repeating = replace(answer(401, "eek: a2V5", header={"X-Request-Id": "a2V5"}), repeats_key=True)

    assert preview_of(repeating, 280, BY_SHAPE) == "Not shown: the answer may repeat a key."
    assert headers_of(repeating, BY_SHAPE) == {}
