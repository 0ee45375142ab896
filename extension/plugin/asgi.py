"""A request of the host as a call of an ASGI application, answered whole or piece by piece."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

import structlog
from starlette.types import ASGIApp, Message, Send

from extension.api.problems import Problem, problem_of
from extension.engine.shielded_tasks import first_of
from extension.plugin.raw_json import protected
from extension.plugin.scope import head_of, refusal, scope_of
from extension.plugin.v1.plugin_pb2 import HttpRequest, HttpResponse, HttpResponsePart

BODY_LIMIT: Final = 8 * 1024 * 1024
"""Most bytes of a request's body."""
_STREAM: Final = b"text/event-stream"
_WAITING_PARTS: Final = 8

_log = structlog.get_logger("poolkeeper.plugin")


@dataclass(frozen=True, slots=True)
class AsgiCaller:
    """Calls an application for a host with pages at `resource_base`.

    A host without `raw_json` rewrites JSON, so its clients get JSON compressed where they accept that.
    """

    application: ASGIApp
    resource_base: str = ""
    raw_json: bool = True

    async def whole(self, request: HttpRequest, seconds: float) -> HttpResponse:
        """Answer a request with a whole body, within so many seconds."""
        if len(request.body) > BODY_LIMIT:
            return refusal(_too_large())
        messages: list[Message] = []
        streaming = asyncio.Event()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start" and _begins_stream(message):
                streaming.set()
                await asyncio.Event().wait()  # until the call is canceled; an error would be one of the application
            messages.append(message)

        calling = asyncio.ensure_future(self._call(request, send))
        try:
            async with asyncio.timeout(seconds):
                await first_of(calling, streaming)
        except TimeoutError:
            return refusal(_too_late(seconds))
        if streaming.is_set():
            return refusal(_no_stream())
        error = None if calling.cancelled() else calling.exception()
        if error is not None or not messages:
            return refusal(_unexpected(error, request))
        head = head_of(messages[0])
        head.body = b"".join(message.get("body", b"") for message in messages[1:])
        return head if self.raw_json else protected(head, request)

    async def pieces(self, request: HttpRequest) -> AsyncGenerator[HttpResponsePart, None]:
        """Answer a request piece by piece; the call of the application ends with the iteration."""
        if len(request.body) > BODY_LIMIT:
            for part in _whole(refusal(_too_large())):
                yield part
            return
        messages: asyncio.Queue[Message | None] = asyncio.Queue(maxsize=_WAITING_PARTS)

        async def call() -> None:
            try:
                await self._call(request, messages.put)
            finally:
                await messages.put(None)

        calling = asyncio.ensure_future(call())
        begun = False
        try:
            while (message := await messages.get()) is not None:
                if message["type"] == "http.response.start":
                    begun = True
                    yield HttpResponsePart(head=head_of(message))
                elif message.get("body"):
                    yield HttpResponsePart(data=message["body"])
            if not begun:
                error = calling.exception() if calling.done() else None
                for part in _whole(refusal(_unexpected(error, request))):
                    yield part
        finally:
            calling.cancel()
            await asyncio.gather(calling, return_exceptions=True)

    async def _call(self, request: HttpRequest, send: Send) -> None:
        unread = True

        async def receive() -> Message:
            nonlocal unread
            if unread:
                unread = False
                return {"type": "http.request", "body": request.body, "more_body": False}
            await asyncio.Event().wait()  # the host ends the call when its client leaves
            return {"type": "http.disconnect"}

        await self.application(scope_of(request, self.resource_base), receive, send)


def _begins_stream(message: Message) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(_STREAM) for name, value in message["headers"])


def _whole(answer: HttpResponse) -> tuple[HttpResponsePart, HttpResponsePart]:
    head = HttpResponse(status=answer.status, headers=answer.headers)
    return HttpResponsePart(head=head), HttpResponsePart(data=answer.body)


def _too_large() -> Problem:
    return Problem(413, "The body of the request is larger than 8 MB.", "too_large", "Send it in smaller parts.")


def _no_stream() -> Problem:
    text = "This gateway delivers whole answers only, so there is no event stream."
    return Problem(406, text, "no_stream", "Read the events page by page with ?after=SEQ and Accept: application/json.")


def _too_late(seconds: float) -> Problem:
    text = f"The service did not answer within {seconds:.0f} s."
    return Problem(504, text, "too_late", "Read the pool again to see what took effect, then try again.")


def _unexpected(error: BaseException | None, request: HttpRequest) -> Problem:
    _log.error("request failed", method=request.method, path=request.path, exc_info=error)
    return problem_of(error if isinstance(error, Exception) else RuntimeError("no answer"))
