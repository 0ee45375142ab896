"""Nothing is told to somebody who is not let in, and every error has one shape."""

import io

import pytest

from adapter.port.errors import GatewayError, TimedOut, Unavailable
from tests.extension.running_service import KEY, OWN, Running

WITH_KEY = {"X-Management-Key": KEY}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{OWN}/info"),
        ("GET", f"{OWN}/nothing/here"),
        ("GET", OWN),
        ("GET", f"{OWN}/"),
        ("PUT", f"{OWN}/info"),
        ("OPTIONS", f"{OWN}/info"),
        ("POST", f"{OWN}/inspections"),
        ("GET", f"{OWN}/pool?source=nonsense"),
    ],
)
async def test_a_stranger_gets_the_same_answer_whatever_is_asked(service: Running, method: str, path: str) -> None:
    reply = await service.send(method, path, data=b"{broken")

    assert reply.status == 401
    assert reply.json["code"] == "no_session"
    assert reply.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in reply.headers


@pytest.mark.parametrize(
    "path", [OWN, f"{OWN}/", f"{OWN}/nothing", f"{OWN}/info/", f"{OWN}/docs", f"{OWN}/openapi.json"]
)
async def test_an_unknown_path_under_our_prefix_is_our_404(service: Running, path: str) -> None:
    reply = await service.get(path, headers=WITH_KEY)

    assert reply.status == 404
    assert reply.json.keys() == {"error", "code", "hint"}
    assert reply.json["code"] == "not_found"


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/v0/management/poolkeeperish", "/monitored"])
async def test_a_path_that_is_not_ours_goes_to_the_gateway(service: Running, path: str) -> None:
    assert (await service.get(path)).text == "said by the gateway"


async def test_a_method_that_is_not_known_names_those_that_are(service: Running) -> None:
    reply = await service.send("DELETE", f"{OWN}/pool", headers=WITH_KEY)

    assert reply.status == 405
    assert reply.headers["Allow"] == "GET"
    assert reply.json["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        (f"{OWN}/pool?source=nonsense", "source"),
        (f"{OWN}/pool?colour=red", "colour"),
        (f"{OWN}/inspections/results", "run"),
        (f"{OWN}/inspections/results?run=0", "run"),
        (f"{OWN}/inspections/results?run=99999999999999999999", "run"),
        (f"{OWN}/inspections/events?after=-1", "after"),
        (f"{OWN}/inspections?limit=many", "limit"),
    ],
)
async def test_a_query_that_does_not_fit_is_a_400_that_names_the_field(service: Running, path: str, field: str) -> None:
    reply = await service.get(path, headers=WITH_KEY)

    assert reply.status == 400
    assert reply.json["code"] == "bad_request"
    assert reply.json["error"].startswith(f"{field}:")
    assert field in reply.json["hint"]


async def test_a_body_that_is_too_large_is_refused(service: Running) -> None:
    body = io.BytesIO(b'{"a":"' + b"x" * 1_100_000 + b'"}')

    reply = await service.post(
        f"{OWN}/inspections", data=body, headers={**WITH_KEY, "Content-Type": "application/json"}
    )

    assert reply.status == 413
    assert reply.json["code"] == "too_large"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Unavailable("The gateway is starting.", retry_after=2.4), 503, "gateway_unavailable"),
        (TimedOut("The gateway did not answer in time."), 504, "gateway_timed_out"),
    ],
)
async def test_trouble_with_the_gateway_is_told_with_what_to_do(
    service: Running, error: GatewayError, status: int, code: str
) -> None:
    service.gateway.fail("accounts", error)

    reply = await service.get(f"{OWN}/pool", headers=WITH_KEY)

    assert reply.status == status
    assert reply.json["error"] == error.text
    assert reply.json["code"] == code
    assert reply.headers.get("Retry-After") == ("2" if status == 503 else None)


async def test_what_nobody_foresaw_is_told_in_the_log_and_not_to_the_visitor(
    capsys: pytest.CaptureFixture[str], service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("private details")

    monkeypatch.setattr(service.gateway, "accounts", broken)

    reply = await service.get(f"{OWN}/pool", headers=WITH_KEY)

    assert reply.status == 500
    assert reply.json["code"] == "internal"
    assert "private" not in reply.text
    assert "ZeroDivisionError: private details" in capsys.readouterr().err


async def test_trouble_while_judging_a_key_lets_nobody_in(service: Running) -> None:
    service.gateway.fail("admit", Unavailable("The gateway is starting."))

    assert (await service.get(f"{OWN}/info", headers=WITH_KEY)).status == 503
