"""`python -m mirrorkeeper`, and the command `mirrorkeeper` of the distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .system.collection import leave_to_the_system, without_collection

if TYPE_CHECKING:
    from .cli import More


def run(more: More | None = None) -> int:
    """Run the command line of this process and return the exit status.

    Args:
        more: commands of the project around the tools.
    """
    with without_collection():  # nothing that a start makes is garbage
        from .cli import main
        from .system.children import CHILDREN
        from .system.signals import heed

        heed(CHILDREN.ask_to_end)
        status = main(more=more)
    leave_to_the_system()
    return status


if __name__ == "__main__":
    raise SystemExit(run())
