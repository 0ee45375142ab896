"""Text that can be written: stored, sent and shown. A string may hold halves of characters, which no encoding knows.

They come from bytes that are no text, which HTTP libraries carry that way, and from escapes in JSON.
"""

from typing import Final

_WIDE: Final = "utf-16-le"


def writable(text: str) -> str:
    """`text` with U+FFFD in the place of every half of a character."""
    return text if text.isascii() else text.encode(_WIDE, "surrogatepass").decode(_WIDE, "replace")
