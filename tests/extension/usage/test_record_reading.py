import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.privacy.secret import HIDDEN, Redactor
from extension.usage.event import UsageEvent
from extension.usage.record_reading import (
    LONGEST,
    Unreadable,
    UnreadableReason,
    UsageFingerprints,
    letter_text,
    read_record,
)
from tests.extension.usage.samples import breakdown, record

FINGERPRINTS = UsageFingerprints(b"k" * 32)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = sorted(record())


def read(**changes: Any) -> UsageEvent:
    reading = read_record(record(**changes), FINGERPRINTS)
    assert isinstance(reading, UsageEvent)
    return reading


def test_a_record_becomes_an_event_with_every_bucket() -> None:
    event = read(token_breakdown=breakdown(1, 2, read=3, written=4, reasoning=5))

    assert event.at == 1_787_392_800_123
    assert (event.account, event.model, event.alias, event.provider) == (
        "4c1433b9bad2bd52",
        "claude-sonnet-4-5",
        "sonnet",
        "claude",
    )
    assert (event.status, event.failure, event.latency_ms, event.ttft_ms) == (200, "", 1530, 410)
    assert (event.request_id, event.tier, event.endpoint) == (0x1A2B3C4D, "auto", "POST /v1/messages")
    assert event.tokens.total == event.tokens.classified == 15


def test_an_event_and_its_letter_hold_no_secret_and_nothing_personal() -> None:
    whole = record(fail={"status_code": 401, "body": "bad key sk-upstream-secret-0123456789 of client-key-in-clear"})
    shown = repr(read_record(whole, FINGERPRINTS)) + letter_text(whole, Redactor())

    for secret in ("upstream-secret", "client-key", "203.0.113", "curl"):
        assert secret not in shown


def test_a_client_key_is_known_again_by_its_fingerprint_in_one_installation_alone() -> None:
    other = UsageFingerprints(b"o" * 32)

    assert (
        read().client == read(timestamp="2026-08-22T11:00:00Z").client == FINGERPRINTS.client_key("client-key-in-clear")
    )
    assert other.client_key("client-key-in-clear") != read().client
    assert read(api_key="another").client != read().client
    assert read(api_key="").client == ""


def test_an_account_without_an_index_goes_by_the_fingerprint_of_its_source() -> None:
    assert read(auth_index="").account == FINGERPRINTS.account("sk-upstream-secret-0123456789")


def test_a_record_has_one_digest_whatever_the_order_of_its_fields() -> None:
    turned = dict(reversed(record().items()))

    assert FINGERPRINTS.record(turned) == read().digest
    assert read(latency_ms=1).digest != read().digest
    assert -(2**63) <= read().digest < 2**63


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        ('{"error":{"type":"rate_limit_error","message":"slow"}}', "429 rate_limit_error"),
        ('{"error":{"status":"RESOURCE_EXHAUSTED"}}', "429 resource_exhausted"),
        ('{"error":{"code":"sk-live-0123456789"}}', "429"),
        ("", "429"),
    ],
)
def test_a_failure_is_its_status_and_the_code_of_the_error(body: str, failure: str) -> None:
    assert read(failed=True, fail={"status_code": 429, "body": body}).failure == failure


@pytest.mark.parametrize(
    ("content", "reason", "field"),
    [
        (["no", "object"], UnreadableReason.NO_OBJECT, ""),
        (record(timestamp="yesterday"), UnreadableReason.NO_TIME, "timestamp"),
        (record(timestamp="0001-01-01T00:00:00Z"), UnreadableReason.NO_TIME, "timestamp"),
        (record(token_breakdown={"total_tokens": -1}), UnreadableReason.BAD_COUNT, "total_tokens"),
        (record(token_breakdown={"input": {"uncached_tokens": 1.5}}), UnreadableReason.BAD_COUNT, "uncached_tokens"),
        (record(token_breakdown={"total_tokens": 10**30}), UnreadableReason.BAD_COUNT, "total_tokens"),
    ],
)
def test_a_record_that_is_no_event_says_why(content: Any, reason: UnreadableReason, field: str) -> None:
    assert read_record(content, FINGERPRINTS) == Unreadable(reason, field)


@given(JSON | st.dictionaries(st.sampled_from(FIELDS), JSON).map(lambda changes: record(**changes)))
def test_any_json_is_an_event_that_can_be_stored_or_a_letter(content: Any) -> None:
    reading = read_record(content, FINGERPRINTS)

    assert len(letter_text(content, Redactor())) <= LONGEST
    if isinstance(reading, UsageEvent):
        assert min(reading.status, reading.latency_ms, reading.ttft_ms, reading.request_id) >= 0
        assert max(reading.tokens.total, reading.request_id) < 2**63
        reading.model.encode()


def test_a_letter_is_valid_json_that_keeps_what_is_no_secret() -> None:
    letter = json.loads(letter_text(record(timestamp="yesterday"), Redactor()))

    assert letter["timestamp"] == "yesterday"
    assert letter["api_key"] == letter["source"] == HIDDEN
    assert letter_text("client-key-in-clear", Redactor()) == json.dumps(HIDDEN)
