"""A small project with a mirrored package, an entry, a boundary and a contract; nothing in it is synchronized."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tools.mirror.declaration import Declaration, read_declaration

PACKAGE = "mirror/gateway/src/guarded"
ENTRY_SOURCE = '''"""Start it."""

import sys
from . import inner
from .inner import (
    greeting,
)


def main(argv=None):
    # built here
    application = greeting( "world" )   # odd spacing
    if application:
        text = "application = greeting('world')"
        return inner.serve(application)


if __name__ == "__main__":
    sys.exit(main())
'''
DECLARED = """
schema = 1
url = "mirror/upstream"
track = "v*"
path = "mirror/gateway"

[entry]
source = "src/guarded/__main__.py"
target = "ours/_generated.py"
package = "guarded"
imports = ["from ours.hook import extend"]
header = ["flake8: noqa"]

[[entry.anchors]]
name = "build"
function = "main"
statement = "application = greeting('world')"
insert_after = "application = extend(application)"

[[entry.anchors]]
name = "serve"
function = "main"
statement = "return inner.serve(application)"
under = ["if application"]

[boundary]
package = "guarded"
source = "src"
importers = ["adapter"]
generated = ["ours/_generated.py"]
symbols = "adapter/names.toml"
contracts = ".importlinter"
exempt = ["tests"]

[contract]
expectations = "adapter/tables.py"
source = "src"
offered = "adapter.offered"
mounted = "adapter.mounted"
paths = ["ours"]
endpoints = 1
own = 1
keys = 1
"""
TABLES = """
from types import SimpleNamespace as Row

MANAGEMENT = "/v0/management"
HEALTH = "/healthz"
CONTRACT = (Row(method="GET", path="/v0/management/config", caller="settings"),)
ALSO_USED = (
    Row(method="GET", path="/healthz", caller="connection"),
    Row(method="GET", path="/v0/management/plugins", caller="plugin", optional=True),
)
KEYS = (Row(path="proxy-url", caller="settings"),)
OWN = (Row(name="info", methods=("GET",), parts=(("info/session", ("POST",)),)),)


def own(name):
    if name not in ("info", "info/session"):
        raise KeyError(name)
    return f"{MANAGEMENT}/{name}"
"""
SURFACE = 'import json\nprint(json.dumps({"schema": 1, "keys": KEYS, "routes": [\n    ROUTES\n]}))\n'


def surface(*routes: str, keys: str = "[]") -> str:
    """The text of a module that prints these routes, each as `METHOD path`."""
    rows = [f'{{"method": "{method}", "path": "{path}"}},' for method, path in map(str.split, routes)]
    return SURFACE.replace("ROUTES", "\n    ".join(rows)).replace("KEYS", keys)


OFFERED = surface("GET /healthz", "GET /v0/management/config", "PUT /v0/management/config.yaml", keys='["proxy-url"]')
FILES: Mapping[str, str] = {
    "mirror/upstream.toml": DECLARED,
    f"{PACKAGE}/__init__.py": "",
    f"{PACKAGE}/__main__.py": ENTRY_SOURCE,
    f"{PACKAGE}/inner.py": "x = 1\ngreeting = str\n\n\ndef serve(application):\n    print(application)\n    return 0\n",
    ".importlinter": "[importlinter]\nroot_packages =\n    ours\n    adapter\n\n[importlinter:contract:one]\n"
    "name = One direction\ntype = layers\nlayers =\n    ours\n    adapter\n",
    "adapter/__init__.py": "from guarded.inner import greeting\n",
    "adapter/names.toml": '["guarded.inner"]\ngreeting = "says it"\n',
    "adapter/tables.py": TABLES,
    "adapter/offered.py": OFFERED,
    "ours/__init__.py": "",
    "ours/hook.py": "def extend(application):\n    return application + '!'\n",
    "adapter/mounted.py": surface("GET /v0/management/info", "POST /v0/management/info/session"),
}  # fmt: skip


def make_project(root: Path) -> Declaration:
    """Write the files, and return what the project declares."""
    for name, text in FILES.items():
        write(root, name, text)
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    return read_declaration(root)


def write(root: Path, name: str, text: str) -> None:
    """Write one file of the project."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def change(root: Path, name: str, old: str, new: str) -> None:
    """Replace a part of a file that is there."""
    text = (root / name).read_text(encoding="utf-8")
    assert old in text
    write(root, name, text.replace(old, new))
