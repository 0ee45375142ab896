"""Entries of a folder that git does not list: nested repositories, pipes, sockets, devices."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def holds_special_entry(folder: Path) -> bool:
    """Return whether anything below is a `.git`, or neither file, link nor folder; no file is opened.

    Git passes over both, so its records say nothing of them. The kinds come with the names of a folder, at no
    call for each file.
    """
    pending = [os.fsencode(folder)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.lower() == b".git":
                    return True
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif not (entry.is_file(follow_symlinks=False) or entry.is_symlink()):
                    return True
    return False


def is_special(place: Path) -> bool:
    """Return whether a path is a pipe, socket or device, which no build leaves behind; it is not opened."""
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode))
