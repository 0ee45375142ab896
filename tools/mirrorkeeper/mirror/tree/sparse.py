"""Files that the index marks as left out of the working files, against what the sparse checkout leaves out.

Theory of operation. Only git knows what its patterns mean, and it does not list it before 2.41. In a copy of the index
it is told to bring an empty folder into line with the patterns: it writes exactly the files that were marked and are to
be there. Index and working files of the project stay as they are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path

from ...git.command import Git
from ...project import Project
from ...system.working_folder import working_folder


def wrongly_skipped(project: Project, paths: Collection[bytes]) -> Collection[bytes]:
    """Return those of these paths, given from the top of the repository, that the clone's patterns do not leave out."""
    git = project.git
    if git.run("config", "--type=bool", "--get", "core.sparseCheckout", check=False).text != "true":
        return paths
    repository, index = (
        Path(os.fsdecode(line))
        for line in git.run(
            "rev-parse", "--path-format=absolute", "--git-dir", "--git-path", "index"
        ).stdout.splitlines()
    )
    with working_folder("sparse-") as name:
        folder = Path(name)
        copy = folder / "index"
        shutil.copyfile(index, copy)
        empty = folder / "files"
        empty.mkdir()
        done = Git(empty, git_dir=repository, index=copy).run(
            "sparse-checkout", "reapply", check=False, environment={"GIT_WORK_TREE": str(empty)}
        )
        if done.status != 0:  # patterns that git refuses leave nothing out
            return paths
        return [path for path in paths if os.path.lexists(os.fsencode(empty) + b"/" + path)]
