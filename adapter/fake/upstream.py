"""Upstreams of a fake gateway: scripts, and small makers of answers."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from adapter.port import AccountRef, Answer, NoAnswer, NoAnswerKind


@dataclass(frozen=True, slots=True)
class UpstreamRequest:
    """A request as it reaches an upstream: the placeholder is replaced by the credential."""

    account: AccountRef
    method: str
    url: str
    header: Mapping[str, str] = field(repr=False)
    body: str


Reply = Answer | NoAnswer
"""Result of an upstream."""

Script = Callable[[UpstreamRequest], Reply | Awaitable[Reply]]
"""Function from a request to an upstream's answer; may be a coroutine function, wait, or raise a `GatewayError`."""


def reply(
    status: int = 200,
    body: str = '{"object":"list","data":[{"id":"demo-model"}]}',
    header: Mapping[str, str] | None = None,
    elapsed: float = 0.01,
) -> Answer:
    """Make an answer; by default that of a healthy provider to GET models."""
    headers = {"Content-Type": "application/json"} if header is None else header
    return Answer(status, {name: (value,) for name, value in headers.items()}, body, truncated=False, elapsed=elapsed)


def silent(
    kind: NoAnswerKind = NoAnswerKind.TIMEOUT, detail: str = "no answer in time", elapsed: float = 15
) -> NoAnswer:
    """No answer at all."""
    return NoAnswer(kind, detail, elapsed)


def by_url(rules: Mapping[str, Reply], otherwise: Reply | None = None) -> Script:
    """A script: the answer of the first regular expression found in `METHOD url`, else `otherwise`, else 404."""

    def script(request: UpstreamRequest) -> Reply:
        line = f"{request.method} {request.url}"
        answer_of_rule = next((answer for pattern, answer in rules.items() if re.search(pattern, line)), otherwise)
        return answer_of_rule if answer_of_rule is not None else reply(404, '{"error":{"message":"not found"}}')

    return script


def issuing(keys: Iterable[str], answers: Script) -> Script:
    """A script of an upstream that tells keys apart: `answers` for requests that carry one of `keys`, else 401.

    A check also asks each route with a key that was never issued; an upstream that answers every key alike is a host
    without authentication, and its accounts are judged as such.
    """
    issued = tuple(keys)

    def script(request: UpstreamRequest) -> Reply | Awaitable[Reply]:
        if any(key in value for value in request.header.values() for key in issued):
            return answers(request)
        return reply(401, '{"error":{"message":"unknown key"}}')

    return script
