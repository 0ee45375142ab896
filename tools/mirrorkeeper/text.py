"""Words for people: counts, paths, and paths as a shell takes them back. Pure."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """The count with its word: `1 file`, `2 files`; `many` where it is not the word with an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def raw_path(path: str) -> bytes:
    """The bytes of a path as git and Python name it; bytes that are no text stay as they are."""
    return path.encode("utf-8", "surrogateescape")


def shown_path(path: bytes) -> str:
    """A path as people can read it: bytes that are not UTF-8 and control characters come out escaped."""
    text = path.decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def shell_path(path: bytes) -> str:
    r"""A path as it can be pasted into a shell: quoted where it needs it, `$'caf\xe9'` where it is not plain text."""
    import shlex

    try:
        text = path.decode()
    except UnicodeDecodeError:
        text = ""
    if text.isprintable() and text:
        return shlex.quote(text)
    signs = (chr(byte) if 0x20 <= byte < 0x7F and byte not in b"'\\" else f"\\x{byte:02x}" for byte in path)  # noqa: PLR2004 - what ASCII shows
    return f"$'{''.join(signs)}'"
