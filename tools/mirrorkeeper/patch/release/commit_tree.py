"""Commits of the temporary repositories: equal for equal trees, on every machine and for every person."""

from __future__ import annotations

from ...git.command import Git

_WHO = {
    "GIT_AUTHOR_NAME": "patch series",
    "GIT_AUTHOR_EMAIL": "patch-series@localhost",
    "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "patch series",
    "GIT_COMMITTER_EMAIL": "patch-series@localhost",
    "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
}


def commit_tree(git: Git, tree: str, parent: str | None, message: str) -> str:
    """Store a commit of a tree, and return its id."""
    above = ("-p", parent) if parent else ()
    return git.run("commit-tree", tree, *above, "-m", message, environment=_WHO).text
