"""`python -m mirrorkeeper`, and the command `mirrorkeeper` of the distribution."""

from __future__ import annotations

from .cli import main
from .system.children import CHILDREN
from .system.signals import heed


def run() -> int:
    """Run the command line of this process and return the exit status."""
    heed(CHILDREN.ask_to_end)
    return main()


if __name__ == "__main__":
    raise SystemExit(run())
