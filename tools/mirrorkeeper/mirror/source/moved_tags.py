"""Tags that are not what they say: moved since they were pinned, or made under another name; rewritten histories."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import ToolError
from ...git.command import Git
from ...git.objects import header_value
from ...lockfile.pin import Pin
from ...tool_name import TOOL
from .source import Source, Target, is_rewritten


def refuse_moved_tag(old: Pin | None, target: Target) -> None:
    """Refuse the pinned tag when it has moved.

    Raises:
        ToolError: it names another commit, or was made anew for the same one.
    """
    if old is None or old.tag is None or target.tag is None or old.tag.name != target.tag.name:
        return
    name = target.tag.name
    if old.commit != target.commit:
        text = f"the tag {name} moved upstream: pinned at {old.commit}, now at {target.commit}"
    elif old.tag.oid != target.tag.oid:
        text = (
            f"the tag {name} was made anew upstream: pinned as {old.tag.oid}, now {target.tag.oid}, of the same commit"
        )
    else:
        return
    raise ToolError(text, f"find out why, then take it: {TOOL} mirror sync {name} --accept-moved-tag")


def refuse_other_name(target: Target) -> None:
    """Refuse a tag whose object was made under another name: the lock would contradict itself ever after.

    Raises:
        ToolError: it was.
    """
    if target.tag is None or not target.tag_object:
        return
    made_as = header_value(target.tag_object, "tag")
    if made_as != target.tag.name:
        text = f"the tag {target.tag.name} carries the tag object {made_as!r}"
        raise ToolError(text, "one of the two is not that release; ask the upstream, or name the full commit id")


def notes_on(old: Pin, target: Target, source: Source, fetched: Git) -> Iterator[str]:
    """Yield a line for each thing that is not as it was when `old` was pinned, the release asked for apart."""
    if is_rewritten(source.history(fetched), old, target):
        yield f"note: {target.name} does not descend from {old.name}: the upstream rewrote its history"
    if old.tag is None or (target.tag is not None and target.tag.name == old.tag.name):
        return
    now = source.tag_now(fetched, old.tag.name)
    if now is not None and now != old.tag.oid:
        is_now = f"is {now} upstream by now" if now else "is gone upstream"
        yield f"note: the tag {old.tag.name}, pinned as {old.tag.oid}, {is_now}"
