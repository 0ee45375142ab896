"""Modules of ours that Python would import in place of a mirrored package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .findings import Finding

_LIBRARIES = (".so", ".pyd", ".dll")
_SOURCES = (".py", ".pyi", ".pyc")


def package_shadows(root: Path, mirror: str, source: str, package: str, target: str = "") -> Iterator[Finding]:
    """Find what wins the import of the mirrored package: it lies in a folder that Python looks through first.

    That is the project's own folder for `python -m`, and the folder of the generated entry for a script.

    Args:
        root: the project.
        mirror: the mirrored folder.
        source: the folder in it that the package lies in.
        package: the mirrored package, which may be one within another.
        target: the generated entry; empty where there is none.
    """
    top = package.partition(".")[0]
    own = root / mirror / source / top
    places = (root, (root / target).parent) if target else (root,)
    for place in dict.fromkeys(places):
        for found in sorted(_packages(place, top, whole=is_regular_package(own))):
            if found != root / mirror and not (own.exists() and found.samefile(own)):
                shown = found.relative_to(root).as_posix().encode("utf-8", "surrogateescape")
                text = f"is imported in place of {own.relative_to(root).as_posix()}"
                fix = f"rename or remove it: `python -m` and scripts in {place.name or place} find it first"
                yield Finding("GEN007", shown, text, fix)


def _packages(folder: Path, name: str, *, whole: bool) -> Iterator[Path]:
    """Yield the modules and packages of a name; a namespace package wins only over another one.

    Args:
        folder: where to look.
        name: the name.
        whole: whether the mirrored package is a regular one, with an `__init__`.
    """
    for one in folder.glob(f"{name}.*"):
        plain = one.name in {name + suffix for suffix in _SOURCES}
        if (plain or one.name.endswith(_LIBRARIES)) and one.is_file():
            yield one
    package = folder / name
    if is_regular_package(package) or (not whole and any(package.glob("*.py"))):
        yield package


def is_regular_package(package: Path) -> bool:
    """Return whether a folder has an `__init__`; without one, a module of its name wins the import."""
    return any(one.name.endswith((*_SOURCES, *_LIBRARIES)) for one in package.glob("__init__.*"))
