"""An upload that its client aborts is one line in the log, and no error."""

from collections.abc import Iterator

from starlette.types import Message
from structlog.testing import capture_logs

from tests.extension.running_service import KEY, Running

PATH = "/v0/management/usage/import"


async def test_an_upload_that_its_client_aborts_is_one_quiet_line_in_the_log(service: Running) -> None:
    arriving: Iterator[Message] = iter(
        [{"type": "http.request", "body": b'{"at', "more_body": True}, {"type": "http.disconnect"}]
    )

    async def receive() -> Message:
        return next(arriving)

    async def send(message: Message) -> None:
        del message  # the client left

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"x-management-key", KEY.encode()), (b"content-length", b"1000")],
        "client": ("127.0.0.1", 40_000),
        "server": ("127.0.0.1", 80),
    }
    with capture_logs() as lines:
        await service.application(scope, receive, send)

    remaining = [
        (line["log_level"], line["event"]) for line in lines if line.get("path") == PATH and "status" not in line
    ]
    assert remaining == [("info", "client disconnected before its request was complete")]
    assert not any(line.get("exc_info") for line in lines)
