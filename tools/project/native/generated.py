"""The generated manifest of the library, and its check.

It has the routes of the contract's table of own paths, and the files of the pages as resources.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from adapter.contract.expectations import MANAGEMENT, OWN, PAGE, own
from extension.console.pages import BUILT_FILES, BUILT_PAGES

from .building import CRATE

_AUTHOR = "Poolkeeper"
_MENU = "Poolkeeper"
_NO_REPOSITORY = "not published"
"""Gateways demand a text; `python -m tools native --repository URL` builds a library that names one."""
_FIELDS = (
    ("command", "array", "Command that starts Poolkeeper. Default: poolkeeper plugin serve."),
    ("socket", "string", "Socket of a Poolkeeper that is started elsewhere; replaces the command."),
    ("gateway-url", "string", "Address of this gateway, when it cannot be read from its configuration."),
    ("management-key-file", "string", "File (0600) with the management key for runs without a person."),
)


MANIFEST: Final = CRATE / "manifest.json"


def is_stale(root: Path) -> bool:
    """Return whether the manifest differs from its sources."""
    return not (root / MANIFEST).is_file() or (root / MANIFEST).read_text("utf-8") != manifest_text(root)


def manifest_text(root: Path) -> str:
    """Return the manifest of the project in a folder."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    content = {
        "metadata": {
            "Name": "Poolkeeper",
            "Version": project["version"],
            "Author": _AUTHOR,
            "GitHubRepository": _NO_REPOSITORY,
            "Logo": "",
            "ConfigFields": [
                {"Name": name, "Type": kind, "EnumValues": [], "Description": text} for name, kind, text in _FIELDS
            ],
        },
        "routes": list(_routes()),
        "resources": list(_resources(root / "extension")),
    }
    return json.dumps(content, indent=1) + "\n"


# Fields without a value are left out: a gateway parses the rows several times before it listens.
def _routes() -> Iterator[dict[str, str]]:
    for row in OWN:
        for name, methods in ((row.name, row.methods), *row.parts):
            for method in methods:
                path = own(name).removeprefix(MANAGEMENT)
                yield {"Method": method, "Path": path}


def _resources(package: Path) -> Iterator[dict[str, str]]:
    static = package / "console" / "static"
    inspection = PAGE.rpartition("/")[2]
    for name in sorted(BUILT_PAGES):
        menu = {"Menu": _MENU, "Description": "Inspection of the pool"} if name == inspection else {}
        yield {"Path": f"/{name}"} | menu
    files = [path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file()]
    built = [f"app/{name}" for name in BUILT_FILES]
    for name in sorted((*files, *built)):
        yield {"Path": f"/static/{name}"}
