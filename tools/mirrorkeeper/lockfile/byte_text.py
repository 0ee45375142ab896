"""Raw objects as values of a lock: text where they are UTF-8, base64 where they are not. Pure."""

from __future__ import annotations

from ..toml.table import Table
from ..toml.writing import toml_long_text, toml_text


def bytes_line(key: str, content: bytes) -> str:
    """The line of a lock that holds these bytes."""
    try:
        return f"{key} = {toml_long_text(content.decode('utf-8'))}\n"
    except UnicodeDecodeError:
        import base64

        return f"{key}_base64 = {toml_text(base64.b64encode(content).decode())}\n"


def read_bytes(table: Table, key: str) -> bytes:
    """Read the bytes back from a table of a lock.

    Raises:
        ValueError: they are not base64.
    """
    encoded = table.text(f"{key}_base64", "")
    text = table.text(key, "")
    if not encoded:
        return text.encode()
    import base64

    return base64.b64decode(encoded, validate=True)
