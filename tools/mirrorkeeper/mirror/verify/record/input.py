"""One path that an answer rests on, and the way in which it is looked at."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class InputKind(StrEnum):
    """Way in which a path is looked at.

    Attributes:
        ENTRY: the entry at the path itself, and its target where it is a link.
        ABSENT: nothing, before the check as well as after it.
        TREE: the same of everything below it, links not followed.
        LINKLESS: as TREE; with a link in it no answer is kept, as nothing tells of changes behind it.
        BYTES: as TREE, with the contents of every file.
    """

    ENTRY = "entry"
    ABSENT = "absent"
    TREE = "tree"
    LINKLESS = "linkless"
    BYTES = "bytes"


class Input(NamedTuple):
    """One path, absolute, and the way it is looked at."""

    kind: InputKind
    path: Path
