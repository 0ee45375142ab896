"""Files that Python would import in place of the generated entry or of the mirrored package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..declaration.declaration import Declaration
from ..declaration.entry import EntryDeclaration
from ..findings import Finding
from ..project import Project
from ..system.unchecked_cache import is_unchecked_cache

_LIBRARIES = (".so", ".pyd", ".dll")
_SOURCES = (".py", ".pyi", ".pyc")


def shadow_findings(project: Project, entry: EntryDeclaration) -> Iterator[Finding]:
    """Find packages, native modules and unchecked caches of the entry's name: each wins the import.

    A folder without `__init__` counts too: any file that appears in it later makes it a package.
    """
    target = project.root / entry.target
    for found in sorted(_shadows(target)):
        shown = found.relative_to(project.root).as_posix().encode("utf-8", "surrogateescape")
        yield Finding("GEN007", shown, f"is imported in place of {entry.target}", "remove it")


def _shadows(target: Path) -> Iterator[Path]:
    folder, module = target.parent, target.stem
    if target.suffix != ".py" or not folder.is_dir():
        return
    for one in folder.iterdir():
        if (one.name == module and one.is_dir()) or (
            one.name.startswith(f"{module}.") and one.name.endswith(_LIBRARIES)
        ):
            yield one
    cache = folder / "__pycache__"
    for one in cache.glob(f"{module}.*.pyc") if cache.is_dir() else ():
        if is_unchecked_cache(one):
            yield one


def package_shadows(project: Project, declaration: Declaration, package: str, source: str) -> Iterator[Finding]:
    """Find what wins the import of the mirrored package: it lies in a folder that Python looks through first.

    That is the project's own folder for `python -m`, and the folder of the generated entry for a script.

    Args:
        project: the project.
        declaration: what it declares.
        package: the mirrored package, which may be one within another.
        source: the folder within the mirrored one that the package lies in.
    """
    top = package.partition(".")[0]
    mirror = project.root / declaration.path
    own = mirror / source / top
    target = project.root / declaration.entry.target if declaration.entry is not None else None
    folders = (project.root, target.parent) if target is not None and target.suffix == ".py" else (project.root,)
    for folder in dict.fromkeys(folders):
        for found in sorted(_packages(folder, top, whole=_is_regular(own))):
            if found not in (own, mirror) and not found.samefile(own if own.exists() else mirror):
                shown = found.relative_to(project.root).as_posix()
                text = f"is imported in place of {own.relative_to(project.root).as_posix()}"
                fix = f"rename or remove it, as `python -m` and scripts in {folder.name or folder} find it first"
                yield Finding("GEN007", shown.encode("utf-8", "surrogateescape"), text, fix)


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
    if _is_regular(package) or (not whole and any(package.glob("*.py"))):
        yield package


def _is_regular(package: Path) -> bool:
    return any(one.name.endswith((*_SOURCES, *_LIBRARIES)) for one in package.glob("__init__.*"))


def source_folder(entry: EntryDeclaration) -> str:
    """Return the folder within the mirrored one that the entry's package is imported from."""
    folders = entry.source.split("/")[:-1]
    depth = len(entry.package.split("."))
    return "/".join(folders[: len(folders) - depth]) if folders[-depth:] == entry.package.split(".") else ""
