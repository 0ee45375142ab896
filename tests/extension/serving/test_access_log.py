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


async def test_the_files_of_the_page_are_noise_unless_one_is_missing() -> None:
    (found,) = await lines_of(f"{PAGE_FILES}/app.js", 200)
    (missing,) = await lines_of(f"{PAGE_FILES}/gone.js", 404)

    assert (found["log_level"], missing["log_level"]) == ("debug", "info")


@pytest.mark.parametrize(
    ("method", "status", "client", "level"),
    [
        ("GET", 200, None, "debug"),
        ("POST", 200, None, "info"),
        ("GET", 500, None, "info"),
        ("GET", 200, ("10.0.0.1", 5), "info"),
    ],
)
async def test_a_read_that_a_stock_gateway_has_logged_is_not_logged_again(
    method: str, status: int, client: tuple[str, int] | None, level: str
) -> None:
    admitted: dict[str, object] = {ADMITTED_BY_HOST: {}}
    (line,) = await lines_of(own("info"), status, method=method, client=client, extensions=admitted)

    assert line["log_level"] == level
