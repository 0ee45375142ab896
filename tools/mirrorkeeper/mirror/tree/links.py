"""Target of a link in a tree, followed as a file system would follow it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

_LINKS_FOLLOWED = 40


def escape(path: bytes, links: Mapping[bytes, bytes]) -> str:
    """Say how the link at `path` leaves the tree, through other links too; empty when it stays within.

    `links` has the text of every link of the tree, by path.
    """
    at = path.split(b"/")[:-1]
    pending = _parts(links[path])
    if pending is None:
        return "is empty or absolute"
    followed = 0
    while pending:
        part = pending.pop(0)
        if part in (b"", b"."):
            continue
        if part == b"..":
            if not at:
                return "leaves the tree"
            at.pop()
            continue
        at.append(part)
        target = links.get(b"/".join(at))
        if target is None:
            continue
        followed += 1
        more = _parts(target)
        if more is None:
            return "leads to a link that is empty or absolute"
        if followed > _LINKS_FOLLOWED:
            return "goes round in circles"
        at.pop()
        pending = more + pending
    return ""


def _parts(target: bytes) -> list[bytes] | None:
    if not target or target.startswith(b"/") or b"\\" in target or b"\0" in target or target[1:2] == b":":
        return None
    return target.split(b"/")
