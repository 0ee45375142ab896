"""Routes as the stock gateway has them: a wrong method is an unknown path, a trailing slash a redirect."""

from collections.abc import Callable, Sequence
from html import escape

from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send


class ExactRoute(Route):
    """A route for exactly the methods it names: no HEAD beside GET, and no 405 for the others."""

    def __init__(self, path: str, endpoint: object, methods: Sequence[str]) -> None:
        super().__init__(path, endpoint, methods=list(methods))  # type: ignore[arg-type]  # Starlette accepts ASGI apps
        self.methods = set(methods)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a full match or none."""
        match, child = super().matches(scope)
        return (match, child) if match is Match.FULL else (Match.NONE, {})


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 404 with an empty body, as for every path nobody knows."""
    await Response(status_code=404)(scope, receive, send)


class TrailingSlash:
    """Redirects a path that only lacks, or has too much, a slash at its end; before anything else looks at it.

    301 for GET, 307 for every other method, without the headers of other answers. ``exists`` says of a path whether
    its part of the application exists at the moment; of what does not, nothing is given away.
    """

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute], exists: Callable[[str], bool]) -> None:
        self._app = app
        self._routes = routes
        self._exists = exists

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect or pass on."""
        target = self._target(scope) if scope["type"] == "http" else None
        if target is None:
            await self._app(scope, receive, send)
            return
        await _redirect(scope, target)(scope, receive, send)

    def _target(self, scope: Scope) -> str | None:
        path = scope["path"]
        if path == "/" or not self._exists(path) or self._known(scope):
            return None
        other = path[:-1] if path.endswith("/") else f"{path}/"
        return other if self._known({**scope, "path": other}) else None

    def _known(self, scope: Scope) -> bool:
        return any(route.matches(scope)[0] is Match.FULL for route in self._routes)


def _redirect(scope: Scope, path: str) -> Response:
    query = scope.get("query_string", b"").decode("latin-1")
    location = f"{path}?{query}" if query else path
    if scope["method"] != "GET":
        return RedirectResponse(location, status_code=307)
    answer = RedirectResponse(location, status_code=301)
    page = f'<a href="{escape(answer.headers["location"])}">Moved Permanently</a>.\n\n'
    return Response(page, 301, {"location": answer.headers["location"]}, "text/html; charset=utf-8")
