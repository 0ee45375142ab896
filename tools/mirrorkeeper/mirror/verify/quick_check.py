"""Quick check by git's own records of size, times and inode: a quick yes, never a quick no.

Anything but a clear yes is left to the comparison of bytes, which names the paths. A yes rests on git's records
of a file when it writes or reads it, inode and change time (to the second) included, so an edit that restores size
and modification time is still seen; `--bytes` does not rest on it. What git never lists is looked for beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...declaration.declaration import Declaration
from ...git.command import Running
from ...git.isolation import as_environment
from ...git.objects import object_id
from ...lockfile.pin import Pin
from ...project import Project
from ..tree.special_entries import holds_special_entry

_OTHER_THAN_PLAIN = re.compile(rb"(?:\A|\0)[^H\0]")
# Modes, links, case and everything git records count, whatever the repository's settings say about the file system.
_STRICT = as_environment(
    ("core.fileMode", "true"),
    ("core.symlinks", "true"),
    ("core.trustctime", "true"),
    ("core.checkStat", "default"),
    ("core.ignoreCase", "false"),
)


Looks = Sequence[Running]
"""The questions of the quick check, while git works on them."""


def unchanged(project: Project, declaration: Declaration, pin: Pin, looks: Looks) -> bool:
    """Return whether last commit, index and working files all hold exactly this pin and its tree, by git's records."""
    try:  # git answers meanwhile
        whole = project.prefix is not None and project.object_format == pin.object_format
        whole = whole and not _passed_over(project, declaration)
    finally:
        objects, filters, index, files, listed = [look.finish() for look in looks]
    own = object_id("blob", project.lock_path.read_bytes(), pin.object_format)
    return (
        whole
        and objects.text.splitlines() == [own, own, pin.final_tree]
        and filters.status != 0  # what they wrote is as recorded, and they say what git takes a file for
        and index.status == 0
        and files.status == 0
        and listed.status == 0
        and _OTHER_THAN_PLAIN.search(listed.stdout) is None
    )


def _passed_over(project: Project, declaration: Declaration) -> bool:
    """Return whether the mirrored folder holds anything git never lists; a folder that cannot be read may."""
    try:
        return holds_special_entry(project.root / declaration.path)
    except OSError:
        return True


def start_looks(project: Project, declaration: Declaration) -> Looks:
    """Ask everything at once; `unchanged` takes the answers, which are finished in any case.

    Of the last commit and the index: the lock, and the tree the commit has as mirror. Of the settings: content
    filters. Of the index: entries that differ from the last commit. Of the files: whether any may differ from
    the index's records, and a list in which one that is unknown, or hidden by a flag, stands out.
    """
    git, path = project.git, declaration.path
    names = f"HEAD:./{project.lock}\n:./{project.lock}\nHEAD:./{path}\n".encode()
    return (
        git.start("cat-file", "--batch-check=%(objectname)", stdin=names),
        git.start("config", "--get-regexp", r"^filter\..*\.(clean|process|smudge)$"),
        git.start("diff-index", "--cached", "--quiet", "HEAD", "--", path),
        git.start("diff-files", "--quiet", "--", path + "/", environment=_STRICT),
        git.start("ls-files", "--cached", "--others", "-v", "-z", "--", path + "/", environment=_STRICT),
    )
