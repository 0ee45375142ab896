"""Writes the tables that the page takes from the service, or with `--check` compares them.

The page repeats no token, limit or field by hand, and its type checker finds each use of one that is gone. Constants
are a module that the page imports; types are declarations beside the served files, because no browser needs them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.page.tables.rendering import generated


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with `--check` compare them; return the exit status."""
    if arguments and list(arguments) != ["--check"]:
        sys.stderr.write("usage: python -m tests.page.tables [--check]\n")
        return 2
    stale = [path for path, text in generated().items() if not path.is_file() or path.read_text("utf-8") != text]
    if arguments:
        for path in stale:
            sys.stderr.write(f"{path.name} is out of date. Run `python -m tests.page.tables`.\n")
        return 1 if stale else 0
    for path, text in generated().items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
