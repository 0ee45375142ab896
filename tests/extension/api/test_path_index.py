"""Each path of the interface is found at once, and other paths and methods are answered as before."""

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.testclient import TestClient

from extension.api.application import resources
from extension.api.path_index import PathIndex
from extension.api.paths import Paths


async def _method(request: Request) -> Response:
    return PlainTextResponse(f"{request.scope['poolkeeper.route'].name} {request.method}")


@pytest.fixture
def client() -> TestClient:
    reading = Route("/a", _method, methods=["GET"], name="reading")
    writing = Route("/a", _method, methods=["POST"], name="writing")
    index = PathIndex([("/a", reading), ("/a", reading), ("/a", writing)])
    return TestClient(Starlette(routes=[index]))


@pytest.mark.parametrize(("method", "text"), [("GET", "reading GET"), ("POST", "writing POST")])
def test_the_route_of_path_and_method_serves_the_request(client: TestClient, method: str, text: str) -> None:
    assert client.request(method, "/a").text == text


@pytest.mark.parametrize(("method", "path", "status"), [("PUT", "/a", 405), ("GET", "/b", 404)])
def test_another_method_is_refused_and_another_path_is_not_found(
    client: TestClient, method: str, path: str, status: int
) -> None:
    assert client.request(method, path).status_code == status


def test_every_described_path_is_found_by_the_index() -> None:
    application = resources(Paths.under("/v0/management/poolkeeper"), "1")
    index = application.router.routes[0]

    for path in application.openapi()["paths"]:
        assert index.matches({"type": "http", "path": path, "method": "OPTIONS", "root_path": ""})[0] != Match.NONE, (
            path
        )
