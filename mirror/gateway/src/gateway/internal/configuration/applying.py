"""``apply``: change a YAML text in exactly the places that change, and prove it before handing it out."""

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import Any

from gateway.internal.configuration import rendering
from gateway.internal.configuration.document import BYTE_ORDER_MARK, parse_document
from gateway.internal.configuration.edits import Edit, Path, entered, first_run, intended, same
from gateway.internal.configuration.errors import ConfigurationError, EditRefused
from gateway.internal.configuration.inverse import Change
from gateway.internal.configuration.layout import lay_out, wanted
from gateway.internal.configuration.patching import Patcher
from gateway.internal.configuration.regions import changed, patched
from gateway.internal.configuration.source import Patch, Source


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with the edits made and every other character, comments included, as it was.

    Args:
        text: A YAML document, with or without byte order mark, with any line endings.
        edits: What to change; each is meant for the document the ones before it have made.

    Raises:
        EditRefused: An edit leads nowhere, or the text has a form in which it cannot be made safely.
        ConfigurationError: The text is not valid YAML.
    """
    return applied(text, parse_document(text), edits)[0] if edits else text


def applied(
    text: str, document: Any, edits: Sequence[Edit], changes: dict[Path, Change] | None = None
) -> tuple[str, Any]:
    """Return the text with the edits made, and what it says then; see ``apply``.

    Of what it says, every part no edit touches is the very object the given document holds.

    Args:
        text: As for ``apply``.
        document: What it says, as ``parse_document`` returns it.
        edits: As for ``apply``.
        changes: Takes the text of each entry that is edited within its list, before and after.

    Raises:
        EditRefused: As for ``apply``.
    """
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    body = text.removeprefix(BYTE_ORDER_MARK)
    goal = intended(document, edits)
    rest = list(edits)
    try:
        while rest:
            body, done = _one_run(body, rest[: first_run(rest)], changes)
            rest = rest[done:]
        result = parse_document(body)
    except ConfigurationError as error:
        raise EditRefused(
            f"the file is written in a form this gateway does not edit ({error}); edit it by hand"
        ) from None
    if not same(result, goal):
        raise EditRefused("the change would alter other places of the file as well (a shared anchor?); edit it by hand")
    return mark + body, goal


def _one_run(text: str, edits: Sequence[Edit], changes: dict[Path, Change] | None) -> tuple[str, int]:
    """Make the first edits that do not touch each other; return the new text and how many were made."""
    source = Source.of(text)
    root = lay_out(text, wanted(map(entered, edits)))
    if root is None or (root.kind == "scalar" and not root.value):
        return _first_content(source, edits[0]), 1
    patcher = Patcher(source, root)
    patches: list[Patch] = []
    done = 0
    for edit in edits:
        planned = patcher.plan(edit)
        if any(_touches(patches, patch) for patch in planned):
            break
        for patch in planned:
            insort(patches, patch, key=_order)
        done += 1
    if changes is not None:
        entries = {edit.path[:2] for edit in edits[:done]}
        for entry, (before, after) in changed(source, root, entries, patches).items():
            changes[entry] = changes.get(entry, (before, after))[0], after
    return patched(text, patches), done


def _order(patch: Patch) -> tuple[int, int]:
    return patch.start, patch.end


def _touches(patches: Sequence[Patch], patch: Patch) -> bool:
    """Return whether a patch meets one of the others, which are in order and do not meet each other."""
    at = bisect_left(patches, _order(patch), key=_order)
    return (at < len(patches) and patches[at].start <= patch.end) or (at > 0 and patches[at - 1].end >= patch.start)


def _first_content(source: Source, edit: Edit) -> str:
    """Return a text without any value (empty, or comments only) with its first one at the end."""
    value: Any = intended({}, [edit])
    gap = "" if not source.text or source.text.endswith("\n") else source.newline
    return source.text + gap + rendering.block(value, 0, source.newline) + source.newline
