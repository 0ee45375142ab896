"""Files that a compiler or an import takes for a part of the program only because of their place. Pure."""

from __future__ import annotations

_GO = (".go", ".s", ".syso", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".f", ".swig", ".swigcxx")
"""`go build` takes them from the folder of a package, those of other languages where it uses cgo."""
_PYTHON = (".py", ".pyd", ".so", ".pyc")
_NAMES = frozenset(("go.mod", "go.work", "modules.txt", "build.rs"))
"""They choose what is built, without being named anywhere."""
_CACHE = "__pycache__"


def is_compiled(path: bytes) -> bool:
    """Return whether a file in this place, relative to the mirrored folder, becomes a part of what is built or run.

    Python imports only from folders whose names are identifiers, and takes the files of `__pycache__` for copies
    of the sources beside them. Go passes over names that begin with a dot or an underscore, and `testdata`.
    """
    *folders, name = path.decode("utf-8", "surrogateescape").split("/")
    if name in _NAMES:
        return True
    if any(folder.startswith(".") or folder == "node_modules" for folder in folders):
        return False
    hidden = [one for one in (*folders, name) if one.startswith(("_", ".")) or one == "testdata"]
    if name.endswith(_GO) and not hidden:
        return True
    importable = all(folder.isidentifier() for folder in folders) or name == "conftest.py"
    return name.endswith(_PYTHON) and importable and _CACHE not in folders
