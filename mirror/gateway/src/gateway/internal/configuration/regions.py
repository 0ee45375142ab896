"""The part of a text that belongs to one entry of a list: from its dash to the next entry's. Pure."""

from collections.abc import Iterable

from gateway.internal.configuration.edits import Path
from gateway.internal.configuration.errors import EditRefused
from gateway.internal.configuration.inverse import Change, Inverses
from gateway.internal.configuration.layout import Node, lay_out, wanted
from gateway.internal.configuration.source import Patch, Source

Span = tuple[int, int]


def region(source: Source, root: Node, entry: Path) -> Span | None:
    """Return where an entry begins and ends; comments before the next entry are part of it.

    Args:
        source: The text.
        root: Its layout, in which the items of the list are known.
        entry: A key of the root and a position in its list.

    Returns:
        Offsets, the end excluded; None where the entry has no place of its own, as behind an alias.
    """
    match entry:
        case (str() as key, int() as position):
            at = root.find(key)
        case _:
            return None
    if root.kind != "mapping" or at < 0:
        return None
    sequence = root.children[at]
    if sequence.kind != "sequence" or not 0 <= position < len(sequence.children):
        return None
    try:
        start = _start(source, sequence, position)
        if position + 1 < len(sequence.children):
            return start, _start(source, sequence, position + 1)
    except EditRefused:
        return None
    return start, root.keys[at + 1].start if at + 1 < len(root.keys) else len(source.text)


def _start(source: Source, sequence: Node, position: int) -> int:
    return sequence.children[position].start if sequence.flow else source.dash(sequence, position)


def changed(source: Source, root: Node, entries: Iterable[Path], patches: Iterable[Patch]) -> dict[Path, Change]:
    """Return the text of each entry before and after some patches, which are in order and do not meet."""
    spans = {entry: span for entry in entries if (span := region(source, root, entry)) is not None}
    order = sorted(spans.items(), key=lambda item: item[1])
    waiting = list(patches)[::-1]
    found: dict[Path, Change] = {}
    for entry, (start, end) in order:
        while waiting and _before(waiting[-1], start):
            waiting.pop()
        mine: list[Patch] = []
        while waiting and waiting[-1].start <= end:
            mine.append(waiting.pop())
        if all(patch.end <= end for patch in mine):
            shifted = [Patch(patch.start - start, patch.end - start, patch.text) for patch in mine]
            text = source.text[start:end]
            found[entry] = text, patched(text, shifted)
    return found


def _before(patch: Patch, start: int) -> bool:
    """Return whether a patch belongs to what stands before an offset; what is put in right there does."""
    return patch.start < start or patch.end <= start


def patched(text: str, patches: Iterable[Patch]) -> str:
    """Return a text with patches made, which are in order and do not meet."""
    parts: list[str] = []
    at = 0
    for patch in patches:
        parts += [text[at : patch.start], patch.text]
        at = patch.end
    return "".join([*parts, text[at:]])


def put_back(text: str, inverses: Inverses) -> tuple[str, dict[Path, Change]]:
    """Take changes of entries back where nobody has written since.

    Args:
        text: A YAML text without byte order mark.
        inverses: What was changed, by entry.

    Returns:
        The text, and of the entries that are as before now the text before and after.
    """
    source = Source.of(text)
    root = lay_out(text, wanted((*entry[:1], -1) for entry in inverses))
    patches: list[Patch] = []
    done: dict[Path, Change] = {}
    for entry, inverse in inverses.items():
        span = None if root is None else region(source, root, entry)
        if span is None:
            continue
        now = text[slice(*span)]
        was = inverse.undo(now)
        if was is not None:
            patches.append(Patch(*span, was))
            done[entry] = now, was
    patches.sort(key=lambda patch: patch.start)
    return patched(text, patches), done
