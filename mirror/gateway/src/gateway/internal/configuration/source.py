"""Lines, columns, comments and dashes of a raw YAML text."""

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
        """Return the text with the line ending of its first line."""
        first = text.find("\n")
        return cls(text, "\r\n" if first > 0 and text[first - 1] == "\r" else "\n")

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        if end < 0:
            return len(self.text)
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def next_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end + 1

    def before_break(self, at: int) -> int:
        """Return the offset of the line break just before an offset; the offset itself where there is none."""
        before = at - len(self.newline)
        return before if before >= 0 and self.text.startswith(self.newline, before) else at

    def column(self, at: int) -> int:
        return at - self.line_start(at)

    def opens_line(self, at: int) -> bool:
        return not self.text[self.line_start(at) : at].strip()

    def rest(self, at: int) -> str:
        return self.text[at : self.line_end(at)].strip()

    def between(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def closed_line(self, node: Node) -> int:
        """Return the end of the line on which a block node ends.

        Raises:
            EditRefused: Something other than a comment follows the node on that line.
        """
        rest = self.rest(node.end)
        if rest and not rest.startswith("#"):
            raise EditRefused("the place shares its line with something else; edit it by hand")
        return self.line_end(node.end)

    def comments(self, start: int, end: int, node: Node) -> list[str]:
        """Return the comments between two offsets; ``node`` covers the written scalars."""
        comments: list[str] = []
        at = start
        for leaf in node.leaves():
            if leaf.start >= at:
                comments += self._comments_between(at, min(leaf.start, end))
                if leaf.resume >= 0:
                    comments += self._comments_between(leaf.start, self.line_end(leaf.start))
            at = max(at, leaf.end)
        return comments + self._comments_between(at, end)

    def _comments_between(self, start: int, end: int) -> list[str]:
        comments = []
        for line in self.text[start:end].splitlines():
            mark = line.find("#")
            if mark >= 0:
                comments.append(line[mark:].rstrip())
        return comments

    def mark_before(self, mark: str, start: int, end: int) -> int:
        """Return the offset of the first ``mark`` between two offsets outside comments.

        Raises:
            EditRefused: There is none, as with keys behind a question mark.
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
        start = sequence.children[position - 1].end if position else sequence.start
        return self.mark_before("-", start, sequence.children[position].start)

    def colon(self, mapping: Node, position: int) -> int:
        key, value = mapping.keys[position], mapping.children[position]
        return self.mark_before(":", key.end, max(value.start, key.end + 1))
