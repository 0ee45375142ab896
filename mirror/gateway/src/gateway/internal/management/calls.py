"""``POST /v0/management/api-call``: calls of upstreams with a credential of the pool."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from gateway.internal.configuration.model import Profile
from gateway.internal.management.gate import PREFIX
from gateway.internal.management.gojson import Fields, GoJSONResponse, parse_fields
from gateway.internal.management.routing import ExactRoute, Resource, while_connected
from gateway.internal.operations.calls import (
    DEFAULT_SECONDS,
    CallAnswer,
    CallFailure,
    CallOutcome,
    CallRefused,
    CallRequest,
    api_call,
)
from gateway.internal.outbound.failure import FailureKind

_INDEX_NAMES = ("auth_index", "authIndex", "AuthIndex")


class Calls(Resource):
    """Answers api-call: the upstream's status, headers and body inside a 200, or the reason for no answer."""

    async def call(self, request: Request) -> Response:
        """Make the call until the caller leaves."""
        fields = parse_fields(await request.body(), "invalid body")
        extended = self._runtime.configuration.management_profile is Profile.EXTENDED
        seconds = _seconds(fields) if extended else DEFAULT_SECONDS
        outcome = await while_connected(request, api_call(self._runtime, call_request(fields), seconds))
        return answer(outcome, extended=extended)

    def routes(self) -> list[BaseRoute]:
        return [ExactRoute(f"{PREFIX}/api-call", self.call, ["POST"])]


def call_request(fields: Fields) -> CallRequest:
    """Read a call from the body of a request; of three spellings of the index the first non-empty one counts."""
    indexes = [fields.text(name).strip() for name in _INDEX_NAMES]
    return CallRequest(
        method=fields.text("method").strip(),
        url=fields.text("url").strip(),
        auth_index=next(filter(None, indexes), ""),
        header=fields.mapping("header"),
        data=fields.text("data"),
        proxy_url=fields.text("proxy_url"),
    )


def answer(outcome: CallOutcome, *, extended: bool) -> Response:
    """Build the answer; the extended profile describes failures in more detail than the stock one."""
    if isinstance(outcome, CallAnswer):
        content: dict[str, object] = {
            "status_code": outcome.status,
            "header": {name: list(values) for name, values in outcome.header.items()},
            "body": outcome.text,
        }
        return GoJSONResponse(content | ({"truncated": True} if extended and outcome.truncated else {}))
    return _failure(outcome, extended=extended)


def _failure(failure: CallFailure, *, extended: bool) -> Response:
    text = "failed to read response" if failure.reading else "request failed"
    if not extended:
        return GoJSONResponse({"error": text}, 502)
    more = {"kind": failure.kind.value, "detail": failure.detail}
    if failure.kind is FailureKind.BLOCKED:
        return GoJSONResponse({"error": "address not allowed", **more}, 400)
    return GoJSONResponse({"error": text, **more}, 502)


def _seconds(fields: Fields) -> float:
    """Read ``timeout_seconds``, at most the default."""
    value = fields.value("timeout_seconds")
    if value is None:
        return DEFAULT_SECONDS
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= DEFAULT_SECONDS:
        raise CallRefused(f"timeout_seconds must be a number over 0 and at most {DEFAULT_SECONDS:g}")
    return float(value)
