"""Files that hold Python within something else: notebooks, archives, files of paths."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ..modules import LARGEST, Module, TooLargeError, UnreadError, source_of
from ..system.regular_file import open_regular_file
from .texts.notebooks import notebook_code, script_code

_ARCHIVES = (".zip", ".whl", ".egg", ".pyz", ".pyzw")


def _packed(path: Path) -> bytes:
    """The modules in an archive that Python can import from, one after the other; empty for any other file.

    Raises:
        UnreadError: a module of it cannot be unpacked; Python may still import it, or others.
    """
    try:
        with open_regular_file(path) as file, zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.endswith(".py")]
            if sum(archive.getinfo(name).file_size for name in names) > LARGEST:
                raise TooLargeError
            texts = [text for name in sorted(names) for text in _unpacked(archive, name, path.name)]
    except zipfile.BadZipFile:
        return b""
    return "\n\n".join(("\n", *texts)).encode()


def _unpacked(archive: zipfile.ZipFile, name: str, shown: str) -> Iterator[str]:
    try:
        yield Module(f"{shown}/{name}", archive.read(name)).text
    except RuntimeError:  # encrypted, or packed in a way that Python does not import from
        return
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise UnreadError(f"{shown}/{name}", f"cannot be unpacked: {error}") from error


def _imports_of_path_file(path: Path) -> bytes:
    """The lines of a `.pth` file that Python runs, in their places."""
    lines = source_of(path).decode("utf-8", "replace").splitlines()
    return "\n".join(one if one.startswith(("import ", "import\t")) else "" for one in lines).encode()


CONTAINERS: Mapping[str, Callable[[Path], bytes]] = {
    ".ipynb": lambda path: notebook_code(source_of(path)),
    ".ipy": lambda path: script_code(source_of(path).decode("utf-8", "replace")),
    ".pth": _imports_of_path_file,
    **dict.fromkeys(_ARCHIVES, _packed),
}
"""Endings of these files, each with its reader."""


def is_archive(path: str) -> bool:
    """Return whether a file holds modules that others may have packed, valid for another release of Python or none."""
    return path.lower().endswith(_ARCHIVES)
