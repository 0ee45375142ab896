"""Names that some system takes for something else than a plain file or folder of that name. Pure."""

from __future__ import annotations

import re

_IGNORED_BY_HFS = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], None)
# Windows opens the device whatever follows the first full stop, and takes the superscripts for digits.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:[.:].*)?", re.DOTALL
)


def is_git_folder(name: bytes) -> bool:
    """Return whether some file system takes this name for `.git`."""
    text = name.decode("utf-8", "replace").translate(_IGNORED_BY_HFS).casefold()
    plain = text.partition(":")[0].rstrip(" .")
    return plain in (".git", "git~1")


def foreign_meaning(name: bytes) -> str:
    """Return the meaning of this name on Windows, in words; empty when it is plain, or cannot be made there at all.

    A name that cannot be made there (with a quotation mark in it, say) does no harm; one that is made as something
    else does.
    """
    text = name.decode("utf-8", "replace")
    if "\\" in text:
        return "a backslash within a name, which Windows takes for a folder"
    if _DEVICE.fullmatch(text.casefold()):
        return "the name of a device on Windows"
    if ":" in text[1:]:
        return f"a colon within a name: on Windows a part of the file {text.partition(':')[0]!r}"
    if text.endswith((".", " ")):
        return f"ends in a full stop or a space; Windows takes it for {text.rstrip(' .')!r}"
    return ""
