import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.management.client.interpreting import ban_seconds, judge
from adapter.management.client.release import Feature, release_of
from adapter.management.client.transport import Reply, Request
from adapter.management.diagnostics.advice import hints, saved_seconds
from adapter.management.listing.sections import canonical, differences
from adapter.management.upstream_answer import outcome, salvaged
from adapter.port import Answer, NoAnswer, NoAnswerKind, errors

CPA = {"x-cpa-version": "7.2.140"}
GET = Request("GET", "/v0/management/debug")
PUT = Request("PUT", "/v0/management/claude-api-key")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Try again in 29m59s", 1799),
        ("Try again in 30m0s", 1800),
        ("Try again in 45s", 45),
        ("Try again in 1h0m1s", 3601),
        ("Try again later", None),
        ("", None),
    ],
)
def test_the_end_of_a_ban_is_read_from_its_text(text: str, seconds: int | None) -> None:
    assert ban_seconds(text) == seconds


@pytest.mark.parametrize(
    ("request_", "reply", "kind", "applied"),
    [
        (GET, Reply(401, CPA, b'{"error":"invalid management key"}'), errors.Unauthorised, "no"),
        (GET, Reply(403, CPA, b'{"error":"remote management disabled"}'), errors.Unauthorised, "no"),
        (GET, Reply(403, CPA, b'{"error":"IP banned due to too many failed attempts."}'), errors.Banned, "no"),
        (GET, Reply(404, CPA, b""), errors.NotFound, "no"),
        (GET, Reply(404, {}, b""), errors.Unavailable, "no"),
        (GET, Reply(404, {}, b"<html>"), errors.Unavailable, "no"),
        (GET, Reply(404, CPA, b'{"error":"item not found"}'), errors.NotFound, "no"),
        (GET, Reply(500, CPA, b""), errors.Unavailable, "no"),
        (PUT, Reply(500, CPA, b'{"error":"failed to save config"}'), errors.Unavailable, "maybe"),
        (PUT, Reply(503, {"retry-after": "7"}, b""), errors.Unavailable, "maybe"),
        (PUT, Reply(429, CPA, b""), errors.Unavailable, "no"),
        (PUT, Reply(400, CPA, b'{"error":"invalid body"}'), errors.Rejected, "no"),
        (GET, Reply(302, CPA, b""), errors.Unavailable, "no"),
    ],
)
def test_each_answer_means_one_error(
    request_: Request, reply: Reply, kind: type[errors.GatewayError], applied: str
) -> None:
    with pytest.raises(kind) as caught:
        judge(request_, reply, 0)
    assert caught.value.applied == applied
    assert caught.value.text


def test_an_error_does_not_repeat_what_looks_like_a_key() -> None:
    body = json.dumps({"error": "bad entry sk-ant-0123456789abcdef"}).encode()
    with pytest.raises(errors.Rejected) as caught:
        judge(PUT, Reply(400, CPA, body), 0)
    assert "0123456789" not in f"{caught.value}{caught.value.code}"


@pytest.mark.parametrize(
    ("version", "own", "features"),
    [
        ("7.2.140", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        ("v7.2.4", False, set(Feature) - {Feature.CALL_TIMEOUT, Feature.KEY_STATUS}),
        ("6.10.7", False, {Feature.HEALTH, Feature.SECTION_INDEX, Feature.KEY_ACTIVITY}),
        ("6.9.47", False, {Feature.HEALTH, Feature.SECTION_INDEX, Feature.KEY_ACTIVITY}),
        ("6.9.29", False, {Feature.HEALTH, Feature.SECTION_INDEX}),
        ("6.9.10", False, {Feature.HEALTH}),
        ("6.0.0", False, set()),
        ("dev", False, set(Feature) - {Feature.CALL_TIMEOUT}),
        ("0.1.0", True, set(Feature)),
    ],
)
def test_a_version_decides_what_is_there(version: str, own: bool, features: set[Feature]) -> None:
    release = release_of({"x-cpa-version": version})
    assert release is not None
    assert release.own is own
    assert {feature for feature in Feature if release.has(feature)} == features
    assert len(release.lacks()) == len(set(Feature) - {Feature.CALL_TIMEOUT} - features)


def test_no_version_is_no_gateway() -> None:
    assert release_of({"server": "something"}) is None


def _call(status: int, body: object) -> Reply:
    return Reply(status, CPA, json.dumps(body).encode())


def test_answers_of_calls_are_told_apart() -> None:
    answered = outcome(_call(200, {"status_code": 404, "header": {"A": ["b"]}, "body": "no"}), 0.5)
    assert answered == Answer(404, {"A": ("b",)}, "no", truncated=False, elapsed=0.5)
    silent = outcome(_call(502, {"error": "request failed"}), 0.5)
    assert isinstance(silent, NoAnswer)
    assert silent.kind is NoAnswerKind.UNKNOWN
    blocked = outcome(_call(400, {"error": "address not allowed", "kind": "blocked", "detail": "10.0.0.1"}), 0.5)
    assert isinstance(blocked, NoAnswer)
    assert blocked.kind is NoAnswerKind.BLOCKED
    with pytest.raises(errors.Rejected, match="auth token not found"):
        outcome(_call(400, {"error": "auth token not found"}), 0.5)
    with pytest.raises(errors.Unavailable):
        outcome(Reply(502, CPA, b"<html>"), 0.5)
    with pytest.raises(errors.Unavailable):
        outcome(Reply(200, CPA, b"[]"), 0.5)


@given(st.text(), st.data())
def test_an_answer_cut_anywhere_in_its_body_is_salvaged(body: str, data: st.DataObject) -> None:
    whole = json.dumps({"status_code": 200, "header": {}, "body": body})
    start = whole.index('"body": "') + len('"body": "')
    cut = data.draw(st.integers(start, len(whole) - 2))
    found = json.loads(salvaged(whole[:cut]))
    assert found["status_code"] == 200
    shown = found["body"]
    # a cut between the two halves of a character leaves the first one
    assert body.startswith(shown[:-1] if shown and "\ud800" <= shown[-1] <= "\udbff" else shown)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"api-key": "a", "auth-index": "1"}, {"api-key": "a"}, True),
        ({"api-key": "a", "models": None, "proxy-url": ""}, {"api-key": "a"}, True),
        ({"api-key": "a", "disabled": False}, {"api-key": "a"}, True),
        ({"api-key": "a", "weight": 0}, {"api-key": "a"}, False),
        ({"api-key": "a", "excluded-models": ["*"]}, {"api-key": "a"}, False),
        ({"api-key-entries": [{"api-key": "a", "auth-index": "1"}]}, {"api-key-entries": [{"api-key": "a"}]}, True),
        ({"headers": {"a": "b"}}, {"headers": {"a": "c"}}, False),
    ],
)
def test_entries_that_mean_the_same_are_equal(one: object, other: object, equal: bool) -> None:
    assert (canonical(one) == canonical(other)) is equal
    assert (differences([one], [other]) == ()) is equal


def test_lists_of_different_lengths_differ_from_the_shorter_ones_end() -> None:
    assert differences([{"a": "1"}, {"a": "2"}], [{"a": "1"}]) == (1,)
    assert differences([], [{"a": "1"}]) == (0,)


def test_hints_say_what_to_do_and_what_it_would_save() -> None:
    found = hints({"host": "", "api-keys": ["your-api-key-1"], "usage-statistics-enabled": True}, 0.072, 10_000)
    assert [hint.code for hint in found] == ["expensive_calls", "short_retention", "open_binding", "template_keys"]
    assert "700 s less" in found[0].text
    good = {
        "host": "127.0.0.1",
        "api-keys": ["a-key"],
        "usage-statistics-enabled": True,
        "redis-usage-queue-retention-seconds": 3600,
    }
    assert hints(good, 0.002, 10_000) == ()
    assert [hint.code for hint in hints({"host": "127.0.0.1"}, 0, 1)] == ["no_usage", "open_inference"]


@given(st.integers(0, 100_000), st.floats(0, 10))
def test_what_would_be_saved_is_never_negative(accounts: int, cost: float) -> None:
    assert saved_seconds(accounts, cost) >= 0
