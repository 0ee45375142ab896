"""The working repository of the upstream: clean, rebased, tagged in its owner's name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..errors import Paused, ToolError
from ..git.command import Git
from ..tool_name import TOOL


class WorkingRepository:
    """A person's working repository; only its release branch and tags are changed."""

    def __init__(self, folder: Path, branch: str) -> None:
        """Name the folder and the branch.

        Raises:
            ToolError: the folder is not the top of a git repository.
        """
        self.git = Git(folder.resolve())
        self._branch = branch
        top = self.git.run("rev-parse", "--show-toplevel", check=False) if folder.is_dir() else None
        if top is None or top.status != 0 or os.path.realpath(top.text) != os.path.realpath(folder):
            raise ToolError(f"{folder} is not a git repository", f"make one with `{TOOL} upstream open DIR`")

    def check_clean(self) -> None:
        """Refuse a repository whose work is not all committed on the release branch.

        Raises:
            ToolError: another branch is checked out, or something is not committed.
        """
        branch = self.git.run("symbolic-ref", "--quiet", "--short", "HEAD", check=False).text
        if branch != self._branch:
            raise ToolError(
                f"{self.git.folder} is on {branch or 'no branch'}, releases are made from {self._branch}",
                f"git switch {self._branch}, and bring your commits there",
            )
        if self.git.run("rev-parse", "--verify", "--quiet", "HEAD", check=False).status != 0:
            raise ToolError(f"{self.git.folder} has no commit yet", "commit something first")
        changed = self.git.run("status", "--porcelain", "-z", "--untracked-files=all").stdout.split(b"\0")[:-1]
        if changed:
            first = changed[0][3:].decode(errors="replace")
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            raise ToolError(f"{self.git.folder} has work that is not committed: {first}{more}", "commit or ignore it")

    def head(self) -> str:
        """The commit the release branch is at."""
        return self.git.run("rev-parse", "HEAD").text

    def rebase(self, commit: str, name: str) -> bool:
        """Put the branch on top of `commit` when it is not yet; returns whether anything moved.

        Raises:
            ToolError: the histories have nothing in common.
            Paused: a commit conflicts; the branch is as it was.
        """
        if self.git.run("merge-base", "--is-ancestor", commit, "HEAD", check=False).status == 0:
            return False
        if self.git.run("merge-base", commit, "HEAD", check=False).status != 0:
            raise ToolError(
                f"{self.git.folder} shares no history with {name}", f"begin with `{TOOL} upstream open DIR`"
            )
        command = ("rebase", "--quiet", "--rebase-merges", "--no-autostash", "--no-gpg-sign", commit)
        output = self.git.run(*command, check=False, environment=self._identity())
        if output.status != 0:
            conflicts = self.git.run("diff", "--name-only", "--diff-filter=U", "-z").stdout.split(b"\0")[:-1]
            self.git.run("rebase", "--abort", check=False)
            shown = ", ".join(path.decode(errors="replace") for path in conflicts) or output.complaint
            raise Paused(
                f"rebasing on {name} conflicts in {shown}; the branch is as it was",
                f"git -C {self.git.folder} rebase {name}, settle it there, publish again",
            )
        return True

    def tag(self, name: str, message: str) -> None:
        """Create the annotated tag on the branch's commit; one already there that names it is kept.

        Raises:
            ToolError: such a tag names another commit.
        """
        known = self.git.run("rev-parse", "--verify", "--quiet", f"refs/tags/{name}^{{commit}}", check=False)
        if known.status == 0:
            kind = self.git.run("cat-file", "-t", f"refs/tags/{name}").text
            if known.text == self.head() and kind == "tag":
                return
            raise ToolError(f"{self.git.folder} has a tag {name} of its own", f"git tag -d {name}")
        command = ("tag", "--annotate", "--no-sign", f"--message={message}", name, "HEAD")
        self.git.run(*command, environment=self._identity())

    def _identity(self) -> Mapping[str, str]:
        """The name a commit made here would carry, by the owner's own configuration."""
        output = self.git.run("var", "GIT_COMMITTER_IDENT", check=False, network=True)
        name, _, rest = output.text.partition(" <")
        address = rest.partition(">")[0]
        if output.status != 0 or not name or not address:
            advice = "git config user.name and user.email"
            raise ToolError(f"git does not know who you are in {self.git.folder}", advice)
        return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": address}
