"""Writes the tables in the documents, and the files, that repeat something in the code; `--check` compares them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.repository.documents.blocks import filled
from tests.repository.documents.interface_blocks import published
from tests.repository.tracked import ROOT

_DESCRIPTION = "docs/openapi.json"


def main(arguments: Sequence[str]) -> int:
    """Write the documents, or with `--check` compare them; return the exit status."""
    if arguments and list(arguments) != ["--check"]:
        sys.stderr.write("usage: python -m tests.repository.documents [--check]\n")
        return 2
    written = {**filled(), _DESCRIPTION: published()}
    stale = {name: text for name, text in written.items() if _text(name) != text}
    for name, text in stale.items():
        if arguments:
            sys.stderr.write(f"{name} is out of date. Run `make docs`.\n")
        else:
            (ROOT / name).write_text(text, encoding="utf-8")
    return 1 if arguments and stale else 0


def _text(name: str) -> str:
    path = ROOT / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
