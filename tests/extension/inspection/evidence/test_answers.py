"""Rows of the tables of answers, and the matcher that tries them."""

import json

import pytest

from extension.inspection.evidence.answers.matcher import row_for
from extension.inspection.evidence.answers.meaning import VERDICT_OF, Meaning
from extension.inspection.evidence.answers.table import answer_rows, row_of
from tests.extension.inspection.samples import answer

RELAY = "https://relay.example/v1/models"
GIVEN = {"vendor": "alpha", "meaning": "invalid_key", "about": "key", "source": "https://alpha.example/errors"}


def test_every_meaning_has_a_verdict() -> None:
    assert set(VERDICT_OF) == set(Meaning)


def test_every_row_states_a_public_source() -> None:
    assert all(row.source.startswith("https://") for row in answer_rows())


@pytest.mark.parametrize(
    ("match", "body", "does_match"),
    [
        ({"code": "gone"}, {"error": {"code": "gone"}}, True),
        ({"code": "1113"}, {"error": {"code": 1113}}, True),
        ({"code": "gone"}, {"error": {"code": "other"}}, False),
        ({"code": "gone", "path": "detail.code"}, {"error": {"code": "gone"}}, False),
        ({"detail_reason": "R"}, {"error": {"details": [{"x": 1}, {"reason": "R"}]}}, True),
        ({"detail_reason": "R"}, [{"error": {"details": [{"reason": "R"}]}}], True),
        ({"words": ["quota", "used up"]}, {"message": "Your Quota is used up."}, True),
        ({"words": ["quota", "expired"]}, {"message": "Your Quota is used up."}, False),
        ({"words": ["无效的令牌"]}, {"error": {"message": "无效的令牌"}}, True),
        ({"status": [403], "words": ["quota"]}, {"message": "quota"}, False),
        ({"hosts": ["relay.example"], "code": "gone"}, {"code": "gone"}, True),
        ({"hosts": ["alpha.example"], "code": "gone"}, {"code": "gone"}, False),
    ],
)
def test_a_row_matches_when_all_its_conditions_hold(match: dict[str, object], body: object, does_match: bool) -> None:
    row = row_of({**GIVEN, "match": match})

    assert (row_for(answer(401, json.dumps(body)), RELAY, [row]) is row) is does_match


def test_the_first_row_that_matches_wins() -> None:
    exact = row_of({**GIVEN, "meaning": "key_expired", "match": {"code": "gone", "words": ["expired"]}})
    general = row_of({**GIVEN, "match": {"code": "gone"}})

    assert row_for(answer(401, '{"code":"gone","message":"Expired."}'), RELAY, [exact, general]) is exact
    assert row_for(answer(401, '{"code":"gone"}'), RELAY, [exact, general]) is general


@pytest.mark.parametrize("row", [{**GIVEN, "match": {}}, {**GIVEN, "match": {"cod": "gone"}}])
def test_a_row_without_a_condition_or_with_an_unknown_one_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="alpha"):
        row_of(row)


@pytest.mark.parametrize("body", ["", "no JSON", "[", "[]", "null", "7", '{"error":null}', '{"errors":{"code":1}}'])
def test_an_answer_of_any_form_is_read(body: str) -> None:
    assert row_for(answer(401, body), RELAY, [row_of({**GIVEN, "match": {"code": "gone"}})]) is None


MONTHLY = "You've reached your monthly usage limit for this billing cycle"
NEURONS = "AiError: you have used up your daily free allocation of 10,000 neurons"
SUSPENDED = (
    "Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices."
)
SPENT = "Your team has either used all available credits or reached its monthly spending limit."


@pytest.mark.parametrize(
    ("status", "body", "meaning"),
    [
        (400, {"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}, Meaning.INVALID_KEY),
        (403, {"error": {"code": "unsupported_country_region_territory"}}, Meaning.BLOCKED),
        (429, {"error": {"code": "insufficient_quota", "type": "insufficient_quota"}}, Meaning.OUT_OF_QUOTA),
        (401, {"error": {"code": "account_deactivated"}}, Meaning.ACCOUNT_SUSPENDED),
        (429, {"code": "Some resource has been exhausted", "error": SPENT}, Meaning.OUT_OF_QUOTA),
        (429, {"error": {"status": "RESOURCE_EXHAUSTED"}}, Meaning.RATE_LIMITED),
        (200, {"error": {"message": "quota exceeded"}}, Meaning.OUT_OF_QUOTA),
        (403, {"error": {"details": [{"reason": "API_KEY_IP_ADDRESS_BLOCKED"}]}}, Meaning.BLOCKED),
        (429, {"error": {"code": "1112", "message": "您的账户已被锁定"}}, Meaning.ACCOUNT_SUSPENDED),
        (200, {"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}, Meaning.OUT_OF_QUOTA),
        (403, {"error": {"message": MONTHLY, "type": "access_terminated_error"}}, Meaning.OUT_OF_QUOTA),
        (429, {"success": False, "errors": [{"code": 4006, "message": NEURONS}]}, Meaning.OUT_OF_QUOTA),
        (412, {"error": {"code": "PRECONDITION_FAILED", "message": SUSPENDED}}, Meaning.OUT_OF_QUOTA),
        (412, {"error": {"message": f'Fireworks failed: {{"error":"{SUSPENDED}"}}'}}, Meaning.PROVIDER_ERROR),
        (402, "Payment required\n\nDEPLOYMENT_DISABLED\n\nhnd1::abcde-1764378000000", Meaning.PROVIDER_ERROR),
        (403, {"error": {"code": "account_overdue", "message": "The account is in arrears."}}, Meaning.OUT_OF_QUOTA),
        (403, {"status": 403, "title": "Forbidden", "detail": "Authorization failed"}, Meaning.INVALID_KEY),
        (403, {"error": {"message": "请求过于频繁", "type": "new_api_error"}}, Meaning.RATE_LIMITED),
        (403, {"error": {"message": "当前分组请求频率过高"}}, Meaning.RATE_LIMITED),
        (403, {"detail": "Too many requests from your IP"}, Meaning.RATE_LIMITED),
        (403, {"detail": {"error": "号池中没有可用账号或所有账号均被限流"}}, Meaning.PROVIDER_ERROR),
        (403, {"error": {"message": "Free credits temporarily have restricted access."}}, Meaning.OUT_OF_QUOTA),
        (401, "Jwt is not in the form of Header.Payload.Signature with two dots", Meaning.REQUEST_PROBLEM),
        (401, {"message": "No API key found in request"}, Meaning.REQUEST_PROBLEM),
    ],
)
def test_shipped_rows_read_what_vendors_answer(status: int, body: object, meaning: Meaning) -> None:
    row = row_for(answer(status, body if isinstance(body, str) else json.dumps(body)), RELAY)

    assert row is not None
    assert row.meaning is meaning
