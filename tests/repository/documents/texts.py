"""The documents: their files, code, links and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.repository.tracked import text_of, tracked_files

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_NOT_IN_AN_ANCHOR = re.compile(r"[^\w\- ]")


def documents() -> tuple[str, ...]:
    """Return the project's own documents; those of the mirrored gateway are its own matter."""
    return tuple(name for name in tracked_files() if name.endswith(".md") and not name.startswith("mirror/gateway/"))


def current_documents() -> tuple[str, ...]:
    """Return the documents that describe the present: changelog and decisions record the past."""
    return tuple(name for name in documents() if name != "CHANGELOG.md" and not name.startswith("docs/decisions/0"))


def fenced(text: str, *languages: str) -> Iterator[str]:
    """Yield the code blocks of these languages."""
    yield from (match["text"] for match in _FENCE.finditer(text) if match["language"] in languages)


def spans(text: str) -> list[str]:
    """Return the pieces of code within sentences and tables."""
    return [span.replace("\\|", "|") for span in _SPAN.findall(_FENCE.sub("", text))]


def prose(text: str) -> str:
    """Return the sentences: no code, tables, pictures or targets of links."""
    lines = (line for line in _FENCE.sub("", text).splitlines() if not line.startswith(("|", "!", "<!--")))
    return _LINK.sub("]", _SPAN.sub(" ", "\n".join(lines)))


def broken_links(name: str, text: str) -> list[str]:
    """Return the links to files and headings that do not exist."""
    return [target for target in _LINK.findall(_FENCE.sub("", text)) if not _resolves(name, text, target)]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings, as GitHub makes them."""
    return {
        _NOT_IN_AN_ANCHOR.sub("", heading.lower()).replace(" ", "-")
        for heading in _HEADING.findall(_FENCE.sub("", text))
    }


def _resolves(name: str, text: str, target: str) -> bool:
    if target.startswith(("https://", "http://")):
        return True
    path, _, anchor = target.partition("#")
    if path:
        target_name = _normal(PurePosixPath(name).parent / path)
        if target_name not in tracked_files():
            return False
        text = text_of(target_name)
    return not anchor or anchor in anchors(text)


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1] if parts else ["outside"]
        else:
            parts.append(part)
    return "/".join(parts)
