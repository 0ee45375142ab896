"""Walls and skeletons: answers that are not the API's, and answers that are the same."""

import pytest

from extension.inspection.evidence.skeleton import skeleton_of
from extension.inspection.evidence.wall import Wall, wall_details, wall_of
from tests.extension.inspection.samples import answer

URL = "https://api.alpha.example/v1/models"


@pytest.mark.parametrize(
    ("status", "body", "header", "wall"),
    [
        (403, "<!DOCTYPE html><title>Just a moment...</title>", {}, "challenge"),
        (403, "{}", {"cf-mitigated": "challenge"}, "challenge"),
        (403, "<html><body>Forbidden</body></html>", {}, "page"),
        (200, "\ufeff\n<HTML><BODY>Success</BODY></HTML>", {}, "page"),
        (302, "", {"Location": "https://sso.example/login?next=1"}, "sign_in"),
        (302, "", {"Location": "/login"}, "sign_in"),
        (307, "", {"Location": "https://elsewhere.example/v1/models"}, "redirect"),
        (200, "\ufffd" * 40, {}, "undecodable"),
        (200, "\ufffd" * 40, {"Content-Encoding": "gzip"}, "undecodable"),
        (200, "\ufffd" * 40, {"Content-Encoding": "br"}, "encoded"),
        (401, "\ufffd" * 40, {"content-encoding": "gzip, gzip"}, "encoded"),
        (401, '{"error":{"message":"no"}}', {"content-encoding": "br"}, None),
        (401, "401 Unauthorized\n", {"WWW-Authenticate": 'Basic realm="traefik"'}, "user_name"),
        (401, "", {"www-authenticate": "Negotiate"}, "user_name"),
        (401, '{"error":"bad key"}', {"WWW-Authenticate": "Basic"}, None),
        (401, "Unauthorized", {"WWW-Authenticate": "Bearer"}, None),
        (308, "", {"Location": "/v1/models/"}, None),
        (302, "", {}, None),
        (403, '{"error":{"message":"<b>no</b>"}}', {"cf-ray": "1"}, None),
        (403, "", {}, None),
        (400, "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", {}, None),
    ],
)
def test_a_wall_is_known_by_its_form(status: int, body: str, header: dict[str, str], wall: str | None) -> None:
    assert wall_of(answer(status, body, header), URL) == wall


@pytest.mark.parametrize(
    ("encoding", "details"),
    [("br", "(HTTP 200, br)"), ("Deflate", "(HTTP 200, deflate)"), ("sk-ant-api03-0123456789012345", "(HTTP 200, ?)")],
)
def test_an_unsupported_encoding_is_named_unless_it_may_be_anything(encoding: str, details: str) -> None:
    odd = answer(200, "\ufffd" * 40, {"Content-Encoding": encoding})
    assert wall_details(odd, Wall.ENCODED) == details


def test_a_location_that_is_no_address_leads_elsewhere() -> None:
    assert wall_of(answer(302, "", {"Location": "http://[half"}), URL) == "redirect"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            '{"error":{"message":"Incorrect API key: sk-abc1...9f3c","code":"bad"}}',
            '{"error":{"message":"Incorrect API key: sk-poolkeeper-control-77","code":"bad"}}',
        ),
        (
            '{"message":"Not allowed. Request req_01ab","code":7}',
            '{"message":"Not allowed. Request req_99zz","code":7}',
        ),
        ("404 page not found", "404 page not found"),
    ],
)
def test_ids_and_key_hints_make_no_other_answer(first: str, second: str) -> None:
    assert skeleton_of(answer(403, first)) == skeleton_of(answer(403, second))


@pytest.mark.parametrize(
    "other",
    [
        answer(401, '{"error":{"message":"Invalid key.","code":"bad"}}'),
        answer(403, '{"error":{"message":"Invalid key.","code":"worse"}}'),
        answer(403, '{"error":{"message":"No permission.","code":"bad"}}'),
    ],
)
def test_another_status_code_or_message_is_another_answer(other: object) -> None:
    assert skeleton_of(answer(403, '{"error":{"message":"Invalid key.","code":"bad"}}')) != skeleton_of(other)  # type: ignore[arg-type] # an answer
