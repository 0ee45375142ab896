"""Whether nothing changed, asked of git's own records of size, times and inode: a quick yes, never a quick no.

Anything but a clear yes is left to the comparison of bytes, which names what differs. A yes rests on what git records
of a file when it writes or reads it, change time included, so an edit that restores size and modification time is
still seen; `--bytes` does not rest on it.
"""

from __future__ import annotations

import re

from ..git import Running
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
    looks = [_start_objects(project, declaration), *_start_records(project, declaration)]
    whole = project.prefix is not None and project.object_format == pin.object_format  # git answers that meanwhile
    objects, filters, index, listed = [look.finish() for look in looks]
    own = object_id("blob", project.lock_path.read_bytes(), pin.object_format)
    return (
        whole
        and objects.text.splitlines() == [own, own, pin.final_tree]
        and index.status == 0
        and filters.status != 0  # git would ask them about files it is not sure of
        and listed.status == 0
        and _OTHER_THAN_PLAIN.search(listed.stdout) is None
        and _files_are_index(project, declaration)
    )


def _start_objects(project: Project, declaration: Declaration) -> Running:
    """Ask for the lock in the last commit and in the index, and for the tree the last commit has as mirror."""
    names = f"HEAD:./{project.lock}\n:./{project.lock}\nHEAD:./{declaration.path}\n".encode()
    return project.git.start("cat-file", "--batch-check=%(objectname)", stdin=names)


def _start_records(project: Project, declaration: Declaration) -> list[Running]:
    """Ask for content filters, for entries of the index that differ from the last commit, and for untracked files."""
    commands = (
        ("config", "--get-regexp", r"^filter\..*\.(clean|process)$"),
        ("diff-index", "--cached", "--quiet", "HEAD", "--", declaration.path),
        ("ls-files", "-c", "-o", "-v", "-z", "--", declaration.path + "/"),
    )
    return [project.git.start(*command) for command in commands]


def _files_are_index(project: Project, declaration: Declaration) -> bool:
    command = ("diff-files", "--quiet", "--", declaration.path + "/")
    return project.git.run(*command, check=False, environment=_STRICT).status == 0
