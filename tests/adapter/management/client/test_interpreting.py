import json

import pytest

from adapter.management.client.interpreting import Misdirected, PathUnknown, ban_seconds, judge
from adapter.management.client.transport import Reply, Request
from adapter.port import errors

CPA = {"x-cpa-version": "7.2.140"}
OWN = {"x-cpa-version": "0.5.14"}
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
        (PUT, Reply(500, OWN, b'{"error":"failed to save config: no space left on device"}'), errors.Rejected, "no"),
        (PUT, Reply(500, OWN, b'{"error":"failed to update auth: it did not last"}'), errors.Unavailable, "maybe"),
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


@pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), ("\u0667", None), ("-7", None), ("soon", None)])
def test_a_wait_is_read_from_plain_digits_alone(header: str, seconds: float | None) -> None:
    with pytest.raises(errors.Unavailable) as caught:
        judge(GET, Reply(503, {"retry-after": header}, b""), 0)
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("recognized", "body", "kind"),
    [
        (True, b"404 page not found", PathUnknown),
        (False, b"404 page not found", Misdirected),
        (True, b"<html>not here</html>", Misdirected),
        (True, b"", Misdirected),
    ],
)
def test_an_absent_path_without_headers_counts_once_the_gateway_is_recognized(
    recognized: bool, body: bytes, kind: type[errors.GatewayError]
) -> None:
    with pytest.raises(kind):
        judge(GET, Reply(404, {}, body), 0, recognized=recognized)


def test_an_error_does_not_repeat_what_looks_like_a_key() -> None:
    body = json.dumps({"error": "bad entry sk-ant-0123456789abcdef"}).encode()
    with pytest.raises(errors.Rejected) as caught:
        judge(PUT, Reply(400, CPA, body), 0)
    assert "0123456789" not in f"{caught.value}{caught.value.code}"


def test_a_broken_file_that_our_own_gateway_names_is_a_refusal_with_its_line() -> None:
    problem = "/etc/gateway/config.yaml, line 9: did not find expected ',' or ']'; correct it"
    with pytest.raises(errors.Rejected) as caught:
        judge(PUT, Reply(500, OWN, json.dumps({"error": f"failed to save config: {problem}"}).encode()), 0)
    assert (caught.value.code, caught.value.parameters) == ("file_unusable", {"said": problem})
    assert "wrote nothing (/etc/gateway/config.yaml, line 9:" in caught.value.text
    assert "Correct the file" in caught.value.text
