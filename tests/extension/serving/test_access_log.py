from collections.abc import Iterator

import pytest
import structlog
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from adapter.clock import FakeClock
from adapter.contract.expectations import PAGE, PAGE_FILES
from extension.serving.web.headers import Headers


@pytest.fixture(autouse=True)
def _every_level() -> Iterator[None]:
    """Hear every level, whatever a service that ran before in this process was set to."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


async def lines_of(path: str, status: int, query: bytes = b"") -> list[dict[str, object]]:
    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def swallow(_message: Message) -> None:
        return None

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "client": ("127.0.0.1", 5)}
    with capture_logs() as lines:
        await Headers(answer, FakeClock())(scope, nothing, swallow)
    return [dict(line) for line in lines]


async def test_a_request_leaves_one_line_without_its_query() -> None:
    (line,) = await lines_of(PAGE, 200, b"filter=what-somebody-typed")

    assert (line["log_level"], line["path"], line["status"], line["peer"]) == ("info", PAGE, 200, "127.0.0.1")
    assert "what-somebody-typed" not in str(line)


async def test_the_files_of_the_page_are_noise_unless_one_is_missing() -> None:
    (found,) = await lines_of(f"{PAGE_FILES}/app.js", 200)
    (missing,) = await lines_of(f"{PAGE_FILES}/gone.js", 404)

    assert (found["log_level"], missing["log_level"]) == ("debug", "info")
