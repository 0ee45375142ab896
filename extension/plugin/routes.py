"""Routes that a host serves for the service: the table of own paths, the page and its files."""

from collections.abc import Iterator
from typing import Final

from adapter.contract.expectations import LIVE, METRICS, OWN, PAGE, PAGE_FILES, READY, own
from extension.console import STATIC
from extension.console.pages import BUILT_FILES, page_names
from extension.plugin.v1.plugin_pb2 import ACCESS_GUARDED, ACCESS_OPEN, Route

STREAMS: Final = frozenset({"inspections/events", "usage/stream"})
"""Names of own paths that answer a stream."""
_MONITORING: Final = (LIVE, READY, METRICS)
_MENU: Final = "Poolkeeper"
_PAGES, _, _PAGE_NAME = PAGE.rpartition("/")
_FILES_NAME: Final = PAGE_FILES.rpartition("/")[2]


def routes(prefix: str, resource_base: str) -> tuple[Route, ...]:
    """Return every route, with the pages below `resource_base`, or at their own paths when that is empty."""
    return (*_guarded(prefix), *_open(resource_base))


def file_names() -> tuple[str, ...]:
    """Return the files of the pages, relative to their folder."""
    names = (path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
    built = (f"app/{name}" for name in BUILT_FILES)
    return tuple(sorted((*names, *built)))


def page_path(resource_base: str, name: str = _PAGE_NAME) -> str:
    """Return the path of a page."""
    return f"{resource_base or _PAGES}/{name}"


def files_path(resource_base: str) -> str:
    """Return the path below which the page's files are."""
    return f"{resource_base}/{_FILES_NAME}" if resource_base else PAGE_FILES


def own_path(path: str, resource_base: str) -> str:
    """Return the path under which the application knows a path of the host."""
    if not resource_base:
        return path
    files = f"{files_path(resource_base)}/"
    if path.startswith(files):
        return path.replace(files, f"{PAGE_FILES}/", 1)
    base, _, name = path.rpartition("/")
    return page_path("", name) if base == resource_base else path


def _guarded(prefix: str) -> Iterator[Route]:
    for row in OWN:
        for name, methods in ((row.name, row.methods), *row.parts):
            for method in methods:
                path = own(name, prefix)
                yield Route(method=method, path=path, access=ACCESS_GUARDED, streams=name in STREAMS)


def _open(resource_base: str) -> Iterator[Route]:
    for name in page_names():
        menu, description = (_MENU, "Inspection of the pool") if name == _PAGE_NAME else ("", "")
        path = page_path(resource_base, name)
        yield Route(method="GET", path=path, access=ACCESS_OPEN, menu=menu, description=description)
    for name in file_names():
        yield Route(method="GET", path=f"{files_path(resource_base)}/{name}", access=ACCESS_OPEN)
    if not resource_base:
        for path in _MONITORING:
            yield Route(method="GET", path=path, access=ACCESS_OPEN)
