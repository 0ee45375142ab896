"""``/v1`` and ``/v1beta``: the paths of inference clients, and model lists in the forms of three protocols."""

import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from gateway.internal.admission.presented import presented_bearer
from gateway.internal.inference import refusals
from gateway.internal.inference.catalogue import ModelEntry
from gateway.internal.inference.dispatch import Dispatch, Flow
from gateway.internal.inference.families import Action
from gateway.internal.inference.forwarding import forwarded_headers, forwarded_query
from gateway.internal.inference.ledger import Ledger
from gateway.internal.inference.refusals import Refusal
from gateway.internal.inference.relay import Relay
from gateway.internal.inference.request import COUNTING_CALL, STREAMING_CALL, InferenceRequest, read_request
from gateway.internal.inference.service_accounts import Tokens
from gateway.internal.management.gojson import GoJSONResponse
from gateway.internal.management.routing import ExactRoute, while_connected
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
_GEMINI_CALLS = frozenset({"generateContent", STREAMING_CALL, COUNTING_CALL})


class Clients:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._tokens = Tokens(runtime)
        self._created = int(time.time())

    def routes(self) -> list[BaseRoute]:
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
        """Require a client key."""

        async def admitted(request: Request) -> ASGIApp:
            client = judge(self._runtime.configuration.api_keys, request.headers, request.query_params)
            if isinstance(client, Refused):
                return GoJSONResponse({"error": client.error}, 401)
            return await endpoint(request, client.api_key)

        return admitted

    async def _list(self, request: Request, _: str) -> ASGIApp:
        """``GET /v1/models``, in the form of the client's protocol."""
        entries = self._runtime.traffic.catalogue.models
        if wants_anthropic_form(request.headers):
            return GoJSONResponse(anthropic_form(entries, self._created))
        return GoJSONResponse(openai_form(entries, self._created))

    async def _list_gemini(self, _: Request, __: str) -> ASGIApp:
        return GoJSONResponse(gemini_form(self._runtime.traffic.catalogue.models))

    async def _one_gemini(self, request: Request, _: str) -> ASGIApp:
        name = request.path_params["action"]
        entry = next((entry for entry in self._runtime.traffic.catalogue.models if entry.id == name), None)
        if entry is None:
            return _refusal(refusals.unknown_call(name))
        return GoJSONResponse(gemini_model(entry))

    def _serving(self, action: Action, endpoint: str) -> "_Endpoint":
        async def serve(request: Request, api_key: str) -> ASGIApp:
            path = request.path_params.get("action", "")
            if action is Action.GEMINI and path.rpartition(":")[2] not in _GEMINI_CALLS:
                return _refusal(refusals.unknown_call(path))
            body = await _body(request)
            if body is None:
                return _refusal(refusals.too_large(action.dialect, LONGEST_REQUEST))
            inference_request = read_request(
                action,
                body,
                query=forwarded_query(request.url.query),
                headers=forwarded_headers(request.headers.items()),
                path_model=path,
            )
            return await self._answer(request, inference_request, _caller(request, endpoint, api_key))

        return serve

    async def _answer(self, request: Request, inference_request: InferenceRequest, caller: Caller) -> ASGIApp:
        runtime = self._runtime
        configuration = runtime.configuration
        ledger = Ledger(configuration, runtime.traffic, runtime.activity)
        dispatch = Dispatch(configuration, runtime.traffic, runtime.outbound, ledger, self._tokens)
        outcome = await while_connected(request, dispatch.serve(inference_request, caller))
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
    """Return the trace id for an answer: time, credential and request."""
    began: datetime = flow.attempt.began
    return f"{began:%Y%m%d%H%M%S}-{flow.attempt.offer.credential.auth_index}-{caller.request_id}"


_CLI = "claude-cli"


def wants_anthropic_form(headers: Mapping[str, str]) -> bool:
    """Return whether a client expects the Anthropic form; ``headers`` has lower-case names."""
    return "anthropic-version" in headers or headers.get("user-agent", "").startswith(_CLI)


def openai_form(models: Sequence[ModelEntry], created: int) -> dict[str, object]:
    """Return the list for OpenAI clients; ``created`` is in seconds since 1970."""
    data = [{"created": created, "id": model.id, "object": "model", "owned_by": model.owned_by} for model in models]
    return {"data": data, "object": "list"}


def anthropic_form(models: Sequence[ModelEntry], created: int) -> dict[str, object]:
    """Return the list for Anthropic clients, on one page."""
    when = datetime.fromtimestamp(created, UTC).isoformat().replace("+00:00", "Z")
    data = [
        {"created_at": when, "display_name": model.display_name, "id": model.id, "type": "model"} for model in models
    ]
    first, last = (models[0].id, models[-1].id) if models else (None, None)
    return {"data": data, "first_id": first, "has_more": False, "last_id": last}


def gemini_form(models: Sequence[ModelEntry]) -> dict[str, object]:
    return {"models": [gemini_model(model) for model in models]}


def gemini_model(model: ModelEntry) -> dict[str, object]:
    return {
        "description": model.id,
        "displayName": model.display_name,
        "name": f"models/{model.id}",
        "supportedGenerationMethods": ["generateContent"],
    }


MISSING = "Missing API key"
INVALID = "Invalid API key"
_KEY_HEADERS = ("x-goog-api-key", "x-api-key")
_KEY_PARAMETERS = ("key", "auth_token")


@dataclass(frozen=True, slots=True)
class Client:
    """An admitted client; ``api_key`` is empty where no keys are configured."""

    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """A rejected client; ``error`` is the text of the answer."""

    error: str


def judge(api_keys: Sequence[str], headers: Mapping[str, str], query: Mapping[str, str]) -> Client | Refused:
    """Judge a client by the keys it presents, one of which must be right.

    Args:
        api_keys: The configured keys; without any, every client is admitted.
        headers: With lower-case names.
        query: Query parameters.
    """
    if not api_keys:
        return Client()
    digests = _digests(tuple(api_keys))
    presented = [key for key in _presented(headers, query) if key]
    for key in presented:
        if _digest(key) in digests:
            return Client(key)
    return Refused(INVALID if presented else MISSING)


def _presented(headers: Mapping[str, str], query: Mapping[str, str]) -> Iterator[str]:
    yield presented_bearer(headers.get("authorization", "")).strip()
    for name in _KEY_HEADERS:
        yield headers.get(name, "").strip()
    for name in _KEY_PARAMETERS:
        yield query.get(name, "").strip()


@lru_cache(maxsize=2)
def _digests(api_keys: tuple[str, ...]) -> frozenset[bytes]:
    return frozenset(map(_digest, api_keys))


def _digest(key: str) -> bytes:
    """Digest a key; comparing digests keeps the time of a comparison independent of the key."""
    return hashlib.sha256(key.encode()).digest()
