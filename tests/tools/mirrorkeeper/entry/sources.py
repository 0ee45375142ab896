"""An upstream's entry point for tests, and the declaration that generates another one from it."""

from __future__ import annotations

from pathlib import Path

from tests.tools.mirrorkeeper.repositories import Fork, Upstream, make_fork

SOURCE = '''"""Start it."""

import sys
from . import naming
from .naming import (
    greeting,
)


def build(name):
    return greeting(name)


def main(argv=None):
    # built here
    application = build( "world" )   # odd spacing
    if application:
        text = "application = build('world')"
        return naming.serve(application)


if __name__ == "__main__":
    sys.exit(main())
'''
NAMING = b"def greeting(name):\n    return name\n\n\ndef serve(application):\n    print(application)\n    return 0\n"

ENTRY = """
[entry]
source = "src/pkg/__main__.py"
target = "ours/_generated.py"
package = "pkg"
imports = ["from ours.hook import extend"]
header = ["flake8: noqa"]

[[entry.anchors]]
name = "build"
statement = "application = build('world')"
insert_after = "application = extend(application)"

[[entry.anchors]]
name = "serve"
statement = "return naming.serve(application)"
under = ["if application"]
"""


def entry_fork(folder: Path, source: str, entry: str = ENTRY) -> Fork:
    """A project whose upstream has this entry point."""
    upstream = Upstream(folder / "upstream")
    files = {"src/pkg/__init__.py": b"", "src/pkg/__main__.py": source.encode(), "src/pkg/naming.py": NAMING}
    upstream.commit(files, tag="v1.0.0")
    fork = make_fork(folder / "fork", "../upstream", entry)
    fork.sync()
    return fork


def generated(fork: Fork) -> str:
    """The text of the generated entry."""
    return (fork.root / "ours/_generated.py").read_text(encoding="utf-8")
