"""A patch written from two trees: the same trees always give the same bytes."""

from __future__ import annotations

from ..git.command import Git

# Everything a setting could change is named, so that the text depends on the two trees alone.
_COMMAND = (
    "diff-tree",
    "-p",
    "--full-index",
    "--binary",
    "--no-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-indent-heuristic",
    "--diff-algorithm=myers",
    "--unified=3",
    "--inter-hunk-context=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)


def with_head(head: bytes, body: bytes) -> bytes:
    """A patch file: its head, an empty line, its body."""
    return head.rstrip(b"\n") + b"\n\n" + body


def export(repository: Git, before: str, after: str) -> bytes:
    """The difference from tree `before` to tree `after`, as the body of a patch file; empty for equal trees."""
    return repository.run(*_COMMAND, before, after).stdout
