"""Routes, declared at their handlers by the names of paths in the contract."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from fastapi import FastAPI

from extension.api.paths import Paths

_Handler = TypeVar("_Handler", bound=Callable[..., Any])


class Routes:
    """Routes of one module; `tag` is that of the description unless a route has its own."""

    def __init__(self, tag: str) -> None:
        self._tag = tag
        self._rows: list[tuple[str, str, Callable[..., Any], dict[str, Any]]] = []

    def __call__(self, method: str, name: str, *, tag: str = "", **options: Any) -> Callable[[_Handler], _Handler]:
        """Declare the handler of a method of a path; the options are FastAPI's."""

        def declared(handler: _Handler) -> _Handler:
            self._rows.append((method, name, handler, {"tags": [tag or self._tag], **options}))
            return handler

        return declared

    def offered(self, paths: Paths) -> Iterator[tuple[str, str]]:
        """Yield method and full path of each route."""
        return ((method, paths.part(name)) for method, name, _, _ in self._rows)

    def add_to(self, application: FastAPI, paths: Paths) -> None:
        """Add the routes to an application."""
        for method, name, handler, options in self._rows:
            application.add_api_route(paths.part(name), handler, methods=[method], **options)
