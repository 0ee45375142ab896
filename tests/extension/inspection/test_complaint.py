import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.complaint import Complaint, blames_the_question, blames_the_quota, complaint_of
from extension.inspection.families import Endpoint
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
    complaint = complaint_of(answer(400, json.dumps(body)))

    assert (complaint.code, complaint.message, complaint.reset) == (code, message, reset)


MODEL_COMPLAINTS = [
    (404, Complaint(("model_not_found",), "gone")),
    (403, Complaint(("model_not_found",), "no access to the project's model")),
    (503, Complaint(("model_not_found",), "no channel")),
    (404, Complaint(("not_found_error",), "model: claude-x")),
    (400, Complaint((), "Model Not Exist")),
    (400, Complaint((), "The model `x` does not exist")),
    (404, Complaint(("NOT_FOUND",), "models/x is not found for API version v1beta")),
    (422, Complaint((), "unknown model x")),
    (400, Complaint(("unsupported_parameter",), "Unsupported parameter: 'max_tokens'")),
]


@pytest.mark.parametrize("endpoint", [Endpoint.CHAT, Endpoint.MESSAGES, Endpoint.GENERATE])
@pytest.mark.parametrize(("status", "complaint"), MODEL_COMPLAINTS)
def test_an_answer_that_blames_the_model_is_not_about_the_key(
    endpoint: Endpoint, status: int, complaint: Complaint
) -> None:
    assert blames_the_question(endpoint, status, complaint)


@pytest.mark.parametrize(("status", "complaint"), MODEL_COMPLAINTS)
def test_only_a_request_that_names_a_model_can_be_to_blame(status: int, complaint: Complaint) -> None:
    assert not blames_the_question(Endpoint.MODELS, status, complaint)


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        (401, Complaint(("model_not_found",), "model not found")),
        (403, Complaint((), "this model is not available to you")),
        (500, Complaint((), "model not found")),
        (400, Complaint(("invalid_request_error",), "API key not valid")),
        (404, Complaint((), "Not Found")),
        (404, Complaint()),
    ],
)
def test_a_refused_key_is_never_excused_by_the_model(status: int, complaint: Complaint) -> None:
    assert not blames_the_question(Endpoint.CHAT, status, complaint)


@pytest.mark.parametrize(
    ("complaint", "quota"),
    [
        (Complaint(("insufficient_quota",)), True),
        (Complaint((), "You exceeded your current quota, please check your plan"), True),
        (Complaint(("usage_limit_reached",)), True),
        (Complaint((), "Your credit balance is too low"), True),
        (Complaint((), "", "tomorrow"), True),
        (Complaint(("rate_limit_exceeded",), "Too many requests"), False),
        (Complaint(), False),
    ],
)
def test_a_used_up_quota_is_told_from_too_many_requests(complaint: Complaint, quota: bool) -> None:
    assert blames_the_quota(complaint) is quota


@given(st.integers(300, 599), st.text())
def test_any_body_can_be_read(status: int, body: str) -> None:
    complaint = complaint_of(answer(status, body))

    assert blames_the_question(Endpoint.CHAT, status, complaint) in {True, False}
