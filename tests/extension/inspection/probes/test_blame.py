"""Refusals that are not what their status says: told as a success, quoted from elsewhere, or about something else."""

import json

import pytest

from adapter.port import Answer, Section
from extension.inspection.probes.controls import ControlAnswer
from tests.extension.inspection.probes.test_weighing import LACKING, LIST, REFUSED, weighed
from tests.extension.inspection.samples import answer, silence

ROLE = '{"choices":[{"delta":{"role":"assistant","content":""}}]}'
WORD = '{"choices":[{"delta":{"content":"pong"}}]}'


def refusal(status: int, message: str) -> Answer:
    error = {"message": message, "type": "one_api_error", "code": "invalid_api_key"}
    return answer(status, json.dumps({"error": error}, ensure_ascii=False))


def stream(*values: str) -> Answer:
    return answer(200, "".join(f"data: {value}\n\n" for value in values))


DEAD = [
    {"success": False, "message": "无效的令牌"},
    {"error": {"code": "invalid_api_key"}},
    {"type": "error", "error": {"type": "authentication_error"}},
    {"error": "Invalid API key"},
    {"error": {"message": "Incorrect API key provided: sk-1234"}},
    {"code": 401, "msg": "Unauthorized"},
    {"error": {"code": 401, "message": "No such user", "status": "UNAUTHENTICATED"}},
    {"detail": "The token is not valid"},
    {"errors": [{"message": "API key expired"}]},
    {"status": "error", "message": "API Key 已失效"},
    {"choices": [], "error": {"type": "invalid_token"}},
]


@pytest.mark.parametrize("body", DEAD)
def test_a_dead_key_told_as_a_success_is_decided_by_the_control(body: object) -> None:
    dead = answer(200, json.dumps(body))

    assert weighed([dead], [dead], Section.CLAUDE).verdict == "invalid_key"
    assert weighed([dead], [REFUSED], Section.CLAUDE).verdict == "inconclusive"


def test_a_refusal_told_as_a_success_is_not_worded_as_an_acceptance_of_the_key() -> None:
    dead = stream(ROLE, '{"error":{"code":"invalid_api_key"}}')

    assert "accepted" not in weighed([dead], [REFUSED], Section.CLAUDE).reason.text


@pytest.mark.parametrize("control", [None, silence(), answer(503), answer(200, '{"error":{"message":"slow down"}}')])
def test_words_alone_blame_no_key_where_no_control_gets_the_same(control: ControlAnswer | None) -> None:
    assert weighed([answer(200, '{"error":"Invalid API key"}')], [control], Section.CLAUDE).verdict == "inconclusive"


@pytest.mark.parametrize("message", ["The server is overloaded", "max_tokens is invalid", "something else"])
def test_an_error_told_as_a_success_that_is_not_about_the_key_blames_none(message: str) -> None:
    assert weighed([answer(200, json.dumps({"error": message}))], [], Section.CLAUDE).verdict == "inconclusive"


def test_behind_a_public_list_a_stream_is_read_up_to_its_error_or_content() -> None:
    dead, good = stream(ROLE, '{"error":{"code":"invalid_api_key"}}'), stream(ROLE, WORD)

    assert weighed([LIST, LACKING, dead], [LIST, LACKING, dead]).verdict == "invalid_key"
    assert weighed([LIST, LACKING, good], [LIST, LACKING, dead]).verdict == "healthy"
    assert weighed([LIST, LACKING, stream(ROLE)], [LIST, LACKING]).verdict == "inconclusive"
    for error in ('{"code":"insufficient_quota"}', '{"message":"quota exceeded"}'):
        quota = stream(ROLE, f'{{"error":{error}}}')
        assert weighed([LIST, LACKING, quota], [LIST, LACKING]).verdict == "out_of_quota"


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("余额不足", "out_of_quota"),
        ("您的账户已欠费", "out_of_quota"),
        ("额度已耗尽", "out_of_quota"),
        ("IP 不在白名单", "blocked"),
        ("系统维护中", "provider_error"),
        ("服务暂时不可用", "provider_error"),
        ("Service temporarily unavailable, please try again later", "provider_error"),
        ("database is locked", "provider_error"),
        ("Error 1040: Too many connections", "provider_error"),
        ("dial tcp 10.0.0.1:6379: connect: connection refused", "provider_error"),
        ("This API key can only be used with Claude Code", "inconclusive"),
        ("No available accounts: this group only allows Claude Code clients", "inconclusive"),
        ("仅允许 Claude Code 客户端访问", "inconclusive"),
        ("令牌验证失败 (request id: 0)", "provider_error"),
        ("上游渠道密钥无效", "provider_error"),
        ("Upstream: Account a-1 is suspended", "provider_error"),
        ('412 {"error":{"message":"Account a-1 is suspended"}}', "provider_error"),
        ("litellm.AuthenticationError: OpenAIException - Incorrect API key provided", "provider_error"),
        ("Error code: 401 - {'error': {'code': 'invalid_api_key'}}", "provider_error"),
        ("this model requires a subscription", "inconclusive"),
        ("You didn't provide an API key.", "inconclusive"),
        ("未提供令牌", "inconclusive"),
    ],
)
def test_a_sentence_about_something_else_blames_no_key(status: int, message: str, verdict: str) -> None:
    assert weighed([refusal(status, message)], [], Section.CLAUDE).verdict == verdict


@pytest.mark.parametrize("message", ["无效的令牌", "Incorrect API key provided: sk-1", "Invalid or missing API key"])
def test_a_refused_key_is_still_one(message: str) -> None:
    assert weighed([refusal(401, message)], [], Section.CLAUDE).verdict == "invalid_key"


@pytest.mark.parametrize(
    "error",
    [
        {"message": "no", "metadata": {"raw": "{}", "provider_name": "alpha"}},
        {"message": "bad response status code 401", "type": "upstream_error"},
        {"message": "openai_error", "code": "bad_response_status_code"},
    ],
)
def test_a_relay_that_names_its_upstream_speaks_of_its_own_trouble(error: object) -> None:
    assert weighed([answer(401, json.dumps({"error": error}))], [], Section.CLAUDE).verdict == "provider_error"


SUSPENDED = {"error": {"message": "Account a-1 is suspended due to insufficient balance"}}
QUOTED = [
    (429, {"error": {"message": "Provider returned error", "metadata": {"raw": json.dumps(SUSPENDED)}}}),
    (402, {"type": "server_error", "message": "Upstream request failed: Insufficient account funds"}),
    (402, {"error": {"message": "Insufficient credits", "type": "upstream_error", "code": "402"}}),
    (429, {"error": {"message": "Upstream is busy", "type": "upstream_error"}}),
    (403, {"error": {"message": "Insufficient balance", "code": "provider_error"}}),
]


@pytest.mark.parametrize(("status", "body"), QUOTED)
def test_a_quota_that_a_relay_quotes_is_the_trouble_of_the_relay(status: int, body: object) -> None:
    assert weighed([answer(status, json.dumps(body))], [], Section.CLAUDE).verdict == "provider_error"


def test_behind_a_public_list_a_quoted_refusal_is_no_proof_against_the_key() -> None:
    quoted = refusal(401, "Upstream: invalid x-api-key")

    assert weighed([LIST, quoted, quoted], [LIST]).verdict == "provider_error"


def test_behind_a_public_list_a_forbidden_request_with_a_known_cause_blames_no_key() -> None:
    closed = refusal(403, "系统维护中")

    assert weighed([LIST, closed, closed], [LIST, REFUSED]).verdict == "provider_error"
