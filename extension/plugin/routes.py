"""Routes that a host serves for the service: the table of own paths, the page and its files."""

from collections.abc import Iterator
from typing import Final

from adapter.contract.expectations import LIVE, METRICS, OWN, PAGE, PAGE_FILES, READY, own
from extension.console import STATIC
from extension.plugin.v1.plugin_pb2 import ACCESS_GUARDED, ACCESS_OPEN, Route

STREAMS: Final = frozenset({"inspections/events", "usage/stream"})
"""Names of own paths that answer a stream."""
_MONITORING: Final = (LIVE, READY, METRICS)
_MENU: Final = "Poolkeeper"
_PAGE_NAME: Final = PAGE.rpartition("/")[2]
_FILES_NAME: Final = PAGE_FILES.rpartition("/")[2]


def routes(prefix: str, resource_base: str) -> tuple[Route, ...]:
    """Return every route, with the pages below `resource_base`, or at their own paths when that is empty."""
    return (*_guarded(prefix), *_open(resource_base))


def file_names() -> tuple[str, ...]:
    """Return the page's files, relative to their folder."""
    found = (path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
    return tuple(sorted(name for name in found if not name.endswith(".html")))


def page_path(resource_base: str) -> str:
    """Return the path of the page."""
    return f"{resource_base}/{_PAGE_NAME}" if resource_base else PAGE


def files_path(resource_base: str) -> str:
    """Return the path below which the page's files are."""
    return f"{resource_base}/{_FILES_NAME}" if resource_base else PAGE_FILES


def own_path(path: str, resource_base: str) -> str:
    """Return the path under which the application knows a path of the host."""
    if not resource_base:
        return path
    if path == page_path(resource_base):
        return PAGE
    files = f"{files_path(resource_base)}/"
    return path.replace(files, f"{PAGE_FILES}/", 1) if path.startswith(files) else path


def _guarded(prefix: str) -> Iterator[Route]:
    for row in OWN:
        for name, methods in ((row.name, row.methods), *row.parts):
            for method in methods:
                path = own(name, prefix)
                yield Route(method=method, path=path, access=ACCESS_GUARDED, streams=name in STREAMS)


def _open(resource_base: str) -> Iterator[Route]:
    page = page_path(resource_base)
    yield Route(method="GET", path=page, access=ACCESS_OPEN, menu=_MENU, description="Inspection of the pool")
    for name in file_names():
        yield Route(method="GET", path=f"{files_path(resource_base)}/{name}", access=ACCESS_OPEN)
    if not resource_base:
        for path in _MONITORING:
            yield Route(method="GET", path=path, access=ACCESS_OPEN)
