"""Exit statuses of every command."""

from typing import Final

ALL_WELL: Final = 0
FINDINGS: Final = 1
COULD_NOT_CHECK: Final = 2
INTERRUPTED: Final = 130
"""Exit status after Ctrl-C: 128 plus the number of the signal, as in shells."""
