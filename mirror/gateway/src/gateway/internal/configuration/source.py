"""Questions about the raw text between the nodes: lines, columns, comments, dashes."""

from dataclasses import dataclass

from gateway.internal.configuration.errors import EditRefused
from gateway.internal.configuration.layout import Node


@dataclass(frozen=True, slots=True)
class Patch:
    """Replace the characters from ``start`` to ``end`` (excluded) by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A YAML text without byte order mark, and its line ending."""

    text: str
    newline: str

    @classmethod
    def of(cls, text: str) -> "Source":
        """Return the text with the line ending its first line has."""
        first = text.find("\n")
        return cls(text, "\r\n" if first > 0 and text[first - 1] == "\r" else "\n")

    def line_start(self, at: int) -> int:
        """Return the offset where the line of an offset starts."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Return the offset of the line break (or the text's end) behind an offset."""
        end = self.text.find("\n", at)
        if end < 0:
            return len(self.text)
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def next_line(self, at: int) -> int:
        """Return the offset where the line behind an offset starts, or the text's end."""
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end + 1

    def column(self, at: int) -> int:
        """Return the zero-based column of an offset."""
        return at - self.line_start(at)

    def opens_line(self, at: int) -> bool:
        """Return whether only blanks stand before an offset on its line."""
        return not self.text[self.line_start(at) : at].strip()

    def rest(self, at: int) -> str:
        """Return what follows an offset on its line, without blanks around it."""
        return self.text[at : self.line_end(at)].strip()

    def closed_line(self, node: Node) -> int:
        """Return the end of the line a block node ends on.

        Raises:
            EditRefused: Something other than a comment follows the node on that line.
        """
        rest = self.rest(node.end)
        if rest and not rest.startswith("#"):
            raise EditRefused("the place shares its line with something else; edit it by hand")
        return self.line_end(node.end)

    def comments(self, start: int, end: int, node: Node) -> list[str]:
        """Return the comments between two offsets, of which ``node`` covers the written scalars."""
        found: list[str] = []
        at = start
        for leaf in node.leaves():
            if leaf.start >= at:
                found += self._comments_between(at, min(leaf.start, end))
                if leaf.resume >= 0:
                    found += self._comments_between(leaf.start, self.line_end(leaf.start))
            at = max(at, leaf.end)
        return found + self._comments_between(at, end)

    def _comments_between(self, start: int, end: int) -> list[str]:
        found = []
        for line in self.text[start:end].splitlines():
            mark = line.find("#")
            if mark >= 0:
                found.append(line[mark:].rstrip())
        return found

    def mark_before(self, mark: str, start: int, end: int) -> int:
        """Return the offset of the first ``mark`` between two offsets that no comment holds.

        Raises:
            EditRefused: There is none, as with keys written behind a question mark.
        """
        at = start
        while at < end:
            if self.text[at] == "#":
                at = self.next_line(at)
                continue
            if self.text[at] == mark:
                return at
            at += 1
        raise EditRefused("the place is written in a form this gateway does not edit; edit it by hand")

    def dash(self, sequence: Node, position: int) -> int:
        """Return the offset of the dash before an item of a block sequence."""
        start = sequence.children[position - 1].end if position else sequence.start
        return self.mark_before("-", start, sequence.children[position].start)

    def colon(self, mapping: Node, position: int) -> int:
        """Return the offset of the colon behind a key."""
        key, value = mapping.keys[position], mapping.children[position]
        return self.mark_before(":", key.end, max(value.start, key.end + 1))
