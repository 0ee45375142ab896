"""Remaining steps of an unfinished synchronization, on disk before they are done."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from pathlib import Path

from ...errors import ToolError
from ...system.files import Files, replace_file
from ...tool_name import TOOL

SCHEMA = 1


@dataclass(frozen=True)
class Journal:
    """A synchronization whose new tree is complete and which may have begun to switch to it.

    Attributes:
        wanted: the requested release, for messages (`v1.2.0`).
        final_tree: id of the tree being switched to.
        inode: number of the folder that holds the new tree; where it is found tells how far the switch came.
        staging: whether the entries are also written to the project's index.
    """

    wanted: str
    final_tree: str
    inode: int
    staging: bool
    schema: int = SCHEMA

    def save(self, files: Files, path: Path) -> None:
        """Write the journal so that it is whole or not there."""
        import json

        replace_file(files, path, (json.dumps(asdict(self), sort_keys=True) + "\n").encode())


def load(path: Path) -> Journal | None:
    """Return the journal at `path`, or None when there is none.

    Raises:
        ToolError: it was written by another version of the tools, or by something else.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    import json

    try:
        journal = Journal(**json.loads(text))
    except (ValueError, TypeError) as error:
        # Without it nobody can tell the old tree from the new one; either way the pinned one can be written again.
        settled = f"rm -r {shlex.quote(str(path.parent))} && {TOOL} mirror sync --discard"
        raise ToolError(f"{path} is damaged, or not a journal of these tools", settled) from error
    if journal.schema != SCHEMA:
        raise ToolError(f"{path} has schema {journal.schema}, not {SCHEMA}", "finish with the version that began")
    return journal
