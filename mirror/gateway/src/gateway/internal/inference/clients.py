"""``/v1`` and ``/v1beta``: what clients of inference talk to."""

import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from gateway.internal.inference import asked, models, refusals
from gateway.internal.inference.access import Refused, judge
from gateway.internal.inference.dispatch import Dispatch, Flow
from gateway.internal.inference.families import Action
from gateway.internal.inference.forwarding import forwarded_headers, forwarded_query
from gateway.internal.inference.ledger import Ledger
from gateway.internal.inference.refusals import Refusal
from gateway.internal.inference.relay import Relay
from gateway.internal.inference.renewal import Tokens
from gateway.internal.management.disconnect import while_connected
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import ExactRoute
from gateway.internal.runtime import Runtime
from gateway.internal.usage.record import Caller

LONGEST_REQUEST = 64 * 1024 * 1024
_ACTIONS = {
    "/v1/chat/completions": Action.CHAT,
    "/v1/completions": Action.COMPLETIONS,
    "/v1/responses": Action.RESPONSES,
    "/v1/messages": Action.MESSAGES,
    "/v1/messages/count_tokens": Action.COUNT_TOKENS,
}
_GEMINI_ENDPOINT = "POST /v1beta/models/*action"
_GEMINI_CALLS = frozenset({"generateContent", asked.STREAMING_CALL, asked.COUNTING_CALL})


class Clients:
    """Answers the paths of inference."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._tokens = Tokens(runtime)
        self._created = int(time.time())

    def routes(self) -> list[BaseRoute]:
        """Return the routes of inference."""
        posts: list[BaseRoute] = [
            ExactRoute(path, self._admitting(self._serving(action, f"POST {path}")), ["POST"])
            for path, action in _ACTIONS.items()
        ]
        return [
            *posts,
            ExactRoute("/v1/models", self._admitting(self._list), ["GET"]),
            ExactRoute("/v1beta/models", self._admitting(self._list_gemini), ["GET"]),
            ExactRoute("/v1beta/models/{action:path}", self._admitting(self._one_gemini), ["GET"]),
            ExactRoute(
                "/v1beta/models/{action:path}",
                self._admitting(self._serving(Action.GEMINI, _GEMINI_ENDPOINT)),
                ["POST"],
            ),
        ]

    def _admitting(self, endpoint: "_Endpoint") -> Callable[[Request], Awaitable[ASGIApp]]:
        """Let clients in by their key."""

        async def admitted(request: Request) -> ASGIApp:
            client = judge(self._runtime.configuration.api_keys, request.headers, request.query_params)
            if isinstance(client, Refused):
                return GoJSONResponse({"error": client.error}, 401)
            return await endpoint(request, client.api_key)

        return admitted

    async def _list(self, request: Request, _: str) -> ASGIApp:
        """``GET /v1/models``: in the form of the client's own protocol."""
        known = self._runtime.traffic.catalogue.models
        if models.wants_anthropic_form(request.headers):
            return GoJSONResponse(models.anthropic_form(known, self._created))
        return GoJSONResponse(models.openai_form(known, self._created))

    async def _list_gemini(self, _: Request, __: str) -> ASGIApp:
        return GoJSONResponse(models.gemini_form(self._runtime.traffic.catalogue.models))

    async def _one_gemini(self, request: Request, _: str) -> ASGIApp:
        name = request.path_params["action"]
        found = next((one for one in self._runtime.traffic.catalogue.models if one.id == name), None)
        if found is None:
            return _refusal(refusals.unknown_call(name))
        return GoJSONResponse(models.gemini_model(found))

    def _serving(self, action: Action, endpoint: str) -> "_Endpoint":
        """Return the endpoint of one action."""

        async def serve(request: Request, api_key: str) -> ASGIApp:
            path = request.path_params.get("action", "")
            if action is Action.GEMINI and path.rpartition(":")[2] not in _GEMINI_CALLS:
                return _refusal(refusals.unknown_call(path))
            body = await _body(request)
            if body is None:
                return _refusal(refusals.too_large(action.dialect, LONGEST_REQUEST))
            wanted = asked.read(
                action,
                body,
                query=forwarded_query(request.url.query),
                headers=forwarded_headers(request.headers.items()),
                path_model=path,
            )
            return await self._answer(request, wanted, _caller(request, endpoint, api_key))

        return serve

    async def _answer(self, request: Request, wanted: asked.Asked, caller: Caller) -> ASGIApp:
        runtime = self._runtime
        configuration = runtime.configuration
        ledger = Ledger(configuration, runtime.traffic, runtime.activity)
        dispatch = Dispatch(configuration, runtime.traffic, runtime.outbound, ledger, self._tokens)
        outcome = await while_connected(request, dispatch.serve(wanted, caller))
        if isinstance(outcome, Refusal):
            return _refusal(outcome)
        traffic = configuration.traffic
        return Relay(
            outcome,
            _trace(outcome, caller),
            everything=traffic.passthrough_headers,
            keepalive=traffic.keepalive_seconds,
        )


_Endpoint = Callable[[Request, str], Awaitable[ASGIApp]]


async def _body(request: Request) -> bytes | None:
    """Return the body of a request, None when it is too long."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_REQUEST:
            return None
    return bytes(body)


def _caller(request: Request, endpoint: str, api_key: str) -> Caller:
    return Caller(
        request_id=secrets.token_hex(4),
        endpoint=endpoint,
        api_key=api_key,
        client_ip=request.client.host if request.client else "",
        forwarded_for=", ".join(request.headers.getlist("x-forwarded-for")),
        user_agent=request.headers.get("user-agent", ""),
    )


def _refusal(refusal: Refusal) -> Response:
    headers: Mapping[str, str] = {**refusal.headers, "Content-Type": refusal.content_type}
    return Response(refusal.body, refusal.status, headers)


def _trace(flow: Flow, caller: Caller) -> str:
    """Return what connects an answer with the logs: time, credential and request."""
    began: datetime = flow.attempt.began
    return f"{began:%Y%m%d%H%M%S}-{flow.attempt.offer.credential.auth_index}-{caller.request_id}"
