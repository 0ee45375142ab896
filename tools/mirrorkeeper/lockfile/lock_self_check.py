"""The lock against itself: ids against the objects beside them. Pure, no git."""

from __future__ import annotations

from collections.abc import Iterator

from ..git.objects import header_value, object_id
from .pin import Pin


def contradictions(pin: Pin) -> Iterator[str]:
    """Yield contradictions within the lock. Pure, no git."""
    if object_id("commit", pin.commit_object, pin.object_format) != pin.commit:
        yield f"the stored commit object is not {pin.commit}"
    elif header_value(pin.commit_object, "tree") != pin.root_tree:
        yield f"the commit's tree is not {pin.root_tree}"
    yield from _tag_against_object(pin)
    if not pin.excluded and not pin.subfolder and pin.base_tree != pin.root_tree:
        yield "nothing is excluded, and yet the base tree is not the commit's tree"
    yield from _digests_against_ids(pin)
    last = pin.patches[-1].tree_after if pin.patches else pin.base_tree
    if last != pin.final_tree:
        yield "the final tree is not what the last patch leaves"


def _tag_against_object(pin: Pin) -> Iterator[str]:
    tag = pin.tag
    if tag is not None and tag.kind == "annotated":
        if object_id("tag", pin.tag_object, pin.object_format) != tag.oid:
            yield f"the stored tag object is not {tag.oid}"
        elif header_value(pin.tag_object, "type") == "commit" and header_value(pin.tag_object, "object") != pin.commit:
            yield f"the tag {tag.name} does not name the pinned commit"
        elif header_value(pin.tag_object, "tag") != tag.name:
            yield f"the tag object is called {header_value(pin.tag_object, 'tag')!r}, not {tag.name!r}"
    elif tag is None and pin.tag_object:
        yield "it holds the object of a tag, and names no tag"
    elif tag is not None and tag.oid != pin.commit:
        yield f"the lightweight tag {tag.name} does not name the pinned commit"


def _digests_against_ids(pin: Pin) -> Iterator[str]:
    if not pin.final_sha256:
        return
    pairs = {"base": (pin.base_tree, pin.base_sha256), "final": (pin.final_tree, pin.final_sha256)}
    if pin.object_format == "sha256":
        yield from (f"the {name} tree is not its own SHA-256 id" for name, (tree, own) in pairs.items() if tree != own)
    elif (pin.base_tree == pin.final_tree) != (pin.base_sha256 == pin.final_sha256):
        yield "base and final tree are the same by one kind of id, and different by the other"
