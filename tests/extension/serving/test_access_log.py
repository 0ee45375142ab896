from collections.abc import Iterator

import pytest
import structlog
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from adapter.clock import FakeClock
from adapter.contract.expectations import PAGE, PAGE_FILES, own
from extension.api.auth.authenticator import ADMITTED_BY_HOST
from extension.serving.web.headers import Headers


@pytest.fixture(autouse=True)
def _every_level() -> Iterator[None]:
    """Hear every level, whatever a service that ran before in this process was set to."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


async def lines_of(path: str, status: int, query: bytes = b"", **more: object) -> list[dict[str, object]]:
    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def swallow(_message: Message) -> None:
        return None

    scope: dict[str, object] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query,
        "client": ("127.0.0.1", 5),
    }
    scope |= more
    with capture_logs() as lines:
        await Headers(answer, FakeClock())(scope, nothing, swallow)
    return [dict(line) for line in lines]


async def test_a_request_leaves_one_line_without_its_query() -> None:
    (line,) = await lines_of(PAGE, 200, b"filter=what-somebody-typed")

    assert (line["log_level"], line["path"], line["status"], line["peer"]) == ("info", PAGE, 200, "127.0.0.1")
    assert "what-somebody-typed" not in str(line)


@pytest.mark.parametrize(
    ("path", "method", "status", "client", "level"),
    [
        (f"{PAGE_FILES}/app.js", "GET", 200, ("10.0.0.1", 5), "debug"),
        (f"{PAGE_FILES}/gone.js", "GET", 404, ("10.0.0.1", 5), "info"),
        (own("info"), "GET", 200, None, "debug"),
        (own("info"), "POST", 200, None, "info"),
        (own("info"), "GET", 500, None, "info"),
        (own("info"), "GET", 200, ("10.0.0.1", 5), "info"),
    ],
)
async def test_files_of_the_page_and_reads_that_a_stock_gateway_has_logged_are_noise(
    path: str, method: str, status: int, client: tuple[str, int] | None, level: str
) -> None:
    extensions: dict[str, object] = {} if path.startswith(PAGE_FILES) else {ADMITTED_BY_HOST: {}}
    (line,) = await lines_of(path, status, method=method, client=client, extensions=extensions)

    assert line["log_level"] == level
