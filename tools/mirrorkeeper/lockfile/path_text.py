"""Paths of any bytes as text of a lock, each in exactly one spelling. Pure."""

from __future__ import annotations


def encoded_path(path: bytes) -> str:
    """The text of a path; bytes that are not UTF-8 come out as escapes."""
    # A backslash starts an escape, so that every byte string has exactly one spelling.
    text = path.replace(b"\\", b"\\\\").decode("utf-8", "surrogateescape")
    # Surrogates stand for the bytes 80 to FF that are not UTF-8.
    return "".join(f"\\x{ord(sign) - 0xDC00:02x}" if "\udc80" <= sign <= "\udcff" else sign for sign in text)


def decoded_path(text: str) -> bytes:
    """The path of a text that `encoded_path` made."""
    parts = text.split("\\\\")
    return b"\\".join(_unescaped(part) for part in parts)


def _unescaped(text: str) -> bytes:
    first, *rest = text.split("\\x")
    return first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in rest)
