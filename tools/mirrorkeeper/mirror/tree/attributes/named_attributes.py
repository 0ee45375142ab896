"""Attributes that a text of an attribute file names: a search that needs no expression to be compiled. Pure."""

from __future__ import annotations

CONVERTING = ("text", "ident", "filter", "working-tree-encoding")
FURTHER = ("eol", "crlf", "export-ignore", "export-subst", "merge")


def sets_anything(content: bytes) -> bool:
    """Return whether an attribute file can turn on an attribute that changes bytes."""
    return b"[attr]" in content or any(turns_on(name, content) for name in (*CONVERTING, *FURTHER))


def turns_on(name: str, content: bytes) -> bool:
    """Return whether an attribute file names an attribute without turning it off."""
    word = name.encode()
    at = content.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_in_word(content[at - 1 : at]) or content[at - 1 : at] in (b"!", b"-")) and not _in_word(
            content[end : end + 1]
        ):
            return True
        at = content.find(word, at + 1)
    return False


def _in_word(sign: bytes) -> bool:
    return sign.isalnum() or sign == b"_"
