"""Files that are seldom there, looked for before the check and after it.

The program wants to know that a file was not there while the check looked, and not removed since. The times of the
folder would tell, but commands of git and shells make files in it all the time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_IN_A_REPOSITORY = (
    "commondir",
    "config.worktree",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
    "packed-refs",
    "reftable",
    "shallow",
)
_IN_A_PROJECT = (".gitattributes", ".gitignore")
_IN_A_HOME = (".gitconfig", ".config/git/config", ".config/git/attributes")


def absent_files(folder: Path, environment: Mapping[str, str]) -> frozenset[Path]:
    """Return those that are not there, around a project in this folder, and in the home."""
    root = folder.resolve()
    home = Path(environment.get("HOME") or "/").absolute()
    groups = ((root / ".git", _IN_A_REPOSITORY), (root, _IN_A_PROJECT), (home, _IN_A_HOME))
    return frozenset(place / name for place, names in groups for name in names if not os.path.lexists(place / name))
