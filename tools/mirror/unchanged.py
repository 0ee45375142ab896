"""Whether nothing changed, asked of git's own records of size, times and inode: a quick yes, never a quick no.

Anything but a clear yes is left to the comparison of bytes, which names what differs. A yes rests on what git records
of a file when it writes or reads it, change time included, so an edit that restores size and modification time is
still seen; `--bytes` does not rest on it.
"""

from __future__ import annotations

import re

from ..objects import object_id
from ..project import Project
from .declaration import Declaration
from .pin import Pin

_OTHER_THAN_PLAIN = re.compile(rb"(?:\A|\0)[^H\0]")
# Modes and links count, whatever the repository's settings say about the file system.
_STRICT = {
    "GIT_CONFIG_COUNT": "3",
    "GIT_CONFIG_KEY_0": "core.fileMode",
    "GIT_CONFIG_VALUE_0": "true",
    "GIT_CONFIG_KEY_1": "core.symlinks",
    "GIT_CONFIG_VALUE_1": "true",
    "GIT_CONFIG_KEY_2": "core.trustctime",
    "GIT_CONFIG_VALUE_2": "true",
}


def unchanged(project: Project, declaration: Declaration, pin: Pin) -> bool:
    """Whether last commit, index and working files all hold exactly this pin and its tree, by git's records."""
    return (
        project.prefix is not None
        and project.object_format == pin.object_format
        and _recorded(project, declaration, pin)
        and _index_is_commit(project, declaration)
        and not _has_filters(project)
        and _files_are_index(project, declaration)
    )


def _recorded(project: Project, declaration: Declaration, pin: Pin) -> bool:
    """Whether the lock is the same file in all three places, and the last commit holds the pinned tree."""
    lock = f"{project.prefix}{project.lock}"
    names = f"HEAD:{lock}\n:{lock}\nHEAD:{project.prefix}{declaration.path}\n".encode()
    lines = project.git.run("cat-file", "--batch-check=%(objectname)", stdin=names).text.splitlines()
    own = object_id("blob", project.lock_path.read_bytes(), pin.object_format)
    return lines == [own, own, pin.final_tree]


def _index_is_commit(project: Project, declaration: Declaration) -> bool:
    command = ("diff-index", "--cached", "--quiet", "HEAD", "--", declaration.path)
    return project.git.run(*command, check=False).status == 0


def _has_filters(project: Project) -> bool:
    """Whether the repository sets content filters: git would ask them about files it is not sure of."""
    return project.git.run("config", "--get-regexp", r"^filter\..*\.(clean|process)$", check=False).status == 0


def _files_are_index(project: Project, declaration: Declaration) -> bool:
    git, path = project.git, declaration.path + "/"
    dirty = git.run("diff-files", "--quiet", "--", path, check=False, environment=_STRICT)
    if dirty.status != 0:
        return False
    listed = git.run("ls-files", "-c", "-o", "-v", "-z", "--", path).stdout
    return _OTHER_THAN_PLAIN.search(listed) is None
