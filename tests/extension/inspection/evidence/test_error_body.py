import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.error_body import ErrorBody, blames_the_question, blames_the_quota, parse_error_body
from tests.extension.inspection.samples import answer


@pytest.mark.parametrize(
    ("body", "code", "message", "reset"),
    [
        ({"error": {"code": "a_code", "type": "a_type", "message": "said"}}, "a_code", "said", ""),
        ({"error": {"code": None, "type": "a_type", "message": "said"}}, "a_type", "said", ""),
        ({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "said"}}, "INVALID_ARGUMENT", "said", ""),
        (
            {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}},
            "not_found_error",
            "model: x",
            "",
        ),
        ({"error": "said", "code": "a_code"}, "a_code", "said", ""),
        ({"detail": "said"}, "", "said", ""),
        ([{"error": {"code": "a_code"}}], "a_code", "", ""),
        ({"error": {"resets_at": 1_900_000_000}}, "", "", "1900000000"),
        ({"error": {"info": {"reset_time": "soon"}}}, "", "", "soon"),
        ({"error": {"code": "two words"}}, "", "", ""),
        ({"resets_at": True}, "", "", ""),
        ([], "", "", ""),
        (7, "", "", ""),
    ],
)
def test_an_error_body_is_taken_apart_whatever_its_style(body: object, code: str, message: str, reset: str) -> None:
    complaint = parse_error_body(answer(400, json.dumps(body)))

    assert (complaint.code, complaint.message, complaint.reset) == (code, message, reset)


MODEL_COMPLAINTS = [
    (404, ErrorBody(("model_not_found",), "gone")),
    (403, ErrorBody(("model_not_found",), "no access to the project's model")),
    (503, ErrorBody(("model_not_found",), "no channel")),
    (404, ErrorBody(("not_found_error",), "model: claude-x")),
    (400, ErrorBody((), "Model Not Exist")),
    (400, ErrorBody((), "The model `x` does not exist")),
    (404, ErrorBody(("NOT_FOUND",), "models/x is not found for API version v1beta")),
    (422, ErrorBody((), "unknown model x")),
    (400, ErrorBody(("unsupported_parameter",), "Unsupported parameter: 'max_tokens'")),
]


@pytest.mark.parametrize("endpoint", [ProbeEndpoint.CHAT, ProbeEndpoint.MESSAGES, ProbeEndpoint.GENERATE])
@pytest.mark.parametrize(("status", "complaint"), MODEL_COMPLAINTS)
def test_an_answer_that_blames_the_model_is_not_about_the_key(
    endpoint: ProbeEndpoint, status: int, complaint: ErrorBody
) -> None:
    assert blames_the_question(endpoint, status, complaint)


@pytest.mark.parametrize(("status", "complaint"), MODEL_COMPLAINTS)
def test_only_a_request_that_names_a_model_can_be_to_blame(status: int, complaint: ErrorBody) -> None:
    assert not blames_the_question(ProbeEndpoint.MODELS, status, complaint)


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        (401, ErrorBody(("model_not_found",), "model not found")),
        (403, ErrorBody((), "this model is not available to you")),
        (500, ErrorBody((), "model not found")),
        (400, ErrorBody(("invalid_request_error",), "API key not valid")),
        (404, ErrorBody((), "Not Found")),
        (404, ErrorBody()),
    ],
)
def test_a_refused_key_is_never_excused_by_the_model(status: int, complaint: ErrorBody) -> None:
    assert not blames_the_question(ProbeEndpoint.CHAT, status, complaint)


@pytest.mark.parametrize(
    ("complaint", "quota"),
    [
        (ErrorBody(("insufficient_quota",)), True),
        (ErrorBody((), "You exceeded your current quota, please check your plan"), True),
        (ErrorBody(("usage_limit_reached",)), True),
        (ErrorBody((), "Your credit balance is too low"), True),
        (ErrorBody((), "", "tomorrow"), True),
        (ErrorBody(("rate_limit_exceeded",), "Too many requests"), False),
        (ErrorBody(), False),
    ],
)
def test_a_used_up_quota_is_told_from_too_many_requests(complaint: ErrorBody, quota: bool) -> None:
    assert blames_the_quota(complaint) is quota


@given(st.integers(300, 599), st.text())
def test_any_body_can_be_read(status: int, body: str) -> None:
    complaint = parse_error_body(answer(status, body))

    assert blames_the_question(ProbeEndpoint.CHAT, status, complaint) in {True, False}
