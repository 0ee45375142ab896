"""Files that Python would import in place of the generated entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..declaration.entry import EntryDeclaration
from ..findings import Finding
from ..project import Project
from ..shadowing import is_regular_package
from ..system.unchecked_cache import is_unchecked_cache

_LIBRARIES = (".so", ".pyd", ".dll")


def shadow_findings(project: Project, entry: EntryDeclaration) -> Iterator[Finding]:
    """Find packages, native modules and unchecked caches of the entry's name: each wins the import."""
    target = project.root / entry.target
    for found in sorted({*_shadows(target), *_in_place_of_folders(project.root, target)}):
        shown = found.relative_to(project.root).as_posix().encode("utf-8", "surrogateescape")
        yield Finding("GEN007", shown, f"is imported in place of {entry.target}", "remove it")


def _shadows(target: Path) -> Iterator[Path]:
    folder, module = target.parent, target.stem
    if target.suffix != ".py" or not folder.is_dir():
        return
    for one in folder.iterdir():
        if (one.name == module and is_regular_package(one)) or (
            one.name.startswith(f"{module}.") and one.name.endswith(_LIBRARIES)
        ):
            yield one
    cache = folder / "__pycache__"
    for one in cache.glob(f"{module}.*.pyc") if cache.is_dir() else ():
        if is_unchecked_cache(one):
            yield one


def _in_place_of_folders(root: Path, target: Path) -> Iterator[Path]:
    """Yield modules beside the folders that the entry lies in: each wins over a folder without an `__init__`."""
    for folder in target.relative_to(root).parents[:-1]:
        here = root / folder
        if not is_regular_package(here) and here.parent.is_dir():
            for one in here.parent.glob(f"{here.name}.*"):
                if one.name in (f"{here.name}.py", f"{here.name}.pyc") or one.name.endswith(_LIBRARIES):
                    yield one


def source_folder(entry: EntryDeclaration) -> str:
    """Return the folder within the mirrored one that the entry's package is imported from."""
    folders = entry.source.split("/")[:-1]
    depth = len(entry.package.split("."))
    return "/".join(folders[: len(folders) - depth]) if folders[-depth:] == entry.package.split(".") else ""
