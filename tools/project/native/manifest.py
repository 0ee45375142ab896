"""Manifest of the library: routes from the contract's table of own paths, resources from the files of the page."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from adapter.contract.expectations import MANAGEMENT, OWN, PAGE, own

_AUTHOR = "Poolkeeper"
_REPOSITORY = "https://github.com/poolkeeper/poolkeeper"
_FIELDS = (
    ("command", "array", "Command that starts Poolkeeper. Default: poolkeeper plugin serve."),
    ("socket", "string", "Socket of a Poolkeeper that is started elsewhere; replaces the command."),
    ("gateway-url", "string", "Address of this gateway, when it cannot be read from its configuration."),
    ("management-key-file", "string", "File (0600) with the management key for runs without a person."),
)


def manifest_text(root: Path) -> str:
    """Return the manifest of the project in a folder."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    static = root / "extension" / "console" / "static"
    files = sorted(path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file())
    content = {
        "metadata": {
            "Name": "Poolkeeper",
            "Version": project["version"],
            "Author": _AUTHOR,
            "GitHubRepository": _REPOSITORY,
            "Logo": "",
            "ConfigFields": [
                {"Name": name, "Type": kind, "EnumValues": [], "Description": text} for name, kind, text in _FIELDS
            ],
        },
        "routes": list(_routes()),
        "resources": list(_resources(files)),
    }
    return json.dumps(content, indent=1) + "\n"


def _routes() -> Iterator[dict[str, str]]:
    for row in OWN:
        for name, methods in ((row.name, row.methods), *row.parts):
            for method in methods:
                path = own(name).removeprefix(MANAGEMENT)
                yield {"Method": method, "Path": path, "Menu": "", "Description": ""}


def _resources(files: Iterable[str]) -> Iterator[dict[str, str]]:
    page = "/" + PAGE.rpartition("/")[2]
    yield {"Path": page, "Menu": "Poolkeeper", "Description": "Health of the pool, inspections and actions."}
    for name in files:
        if name != "index.html":
            yield {"Path": f"/static/{name}", "Menu": "", "Description": ""}
