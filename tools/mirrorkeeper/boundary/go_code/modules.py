"""Module files of a project: import paths of the mirrored code, and other ways that lead to or around it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...declaration.boundary import BoundaryDeclaration
from ...declaration.declaration import Declaration
from ...errors import ToolError
from ...findings import Finding
from ...golang.modfile import directives, module_of, replacements
from ...modules import Module
from ...project import Project
from ...text import raw_path
from ...tool_name import TOOL
from .references import Guarded

GO_MOD, GO_WORK, VENDORED = "go.mod", "go.work", "modules.txt"
_FIX = "let only `replace` of the declared module, or `use` of its folder, name the mirrored folder"


def guarded_by(
    project: Project, declaration: Declaration, rules: BoundaryDeclaration, modules: Sequence[Module]
) -> Guarded:
    """Return the import paths and folders of the mirrored code.

    Raises:
        ToolError: the mirrored module has another path than the declared one.
    """
    own = {posixpath.dirname(one.path): module_of(_text(one)) for one in modules if _is(one, GO_MOD)}
    top = project.root / declaration.path
    found = {path.relative_to(project.root).parent.as_posix(): path for path in sorted(top.rglob(GO_MOD))}
    inside = {folder: module_of(path.read_text("utf-8", "replace")) for folder, path in found.items()}
    place = posixpath.join(declaration.path, rules.source).rstrip("/")
    named = inside.get(place, "")
    if named and named != rules.package:
        advice = f"if the upstream renamed its module, change `package` in {project.declaration}"
        raise ToolError(f"{place}/{GO_MOD} declares {named}, and [boundary] guards {rules.package}", advice)
    if not Path(project.root / place).is_dir():
        raise ToolError(f"{place} is not there", f"{TOOL} mirror sync")
    around = (_joined(name, declaration.path, folder) for folder, name in own.items() if name)
    paths = {rules.package, *filter(None, inside.values()), *filter(None, around)}
    return Guarded(tuple(sorted(paths)), declaration.path, tuple(inside))


def _joined(module: str, mirror: str, folder: str) -> str:
    """The import path of the mirrored folder in a module around it; empty for a module beside it."""
    if folder and not mirror.startswith(folder + "/"):
        return ""
    return f"{module}/{mirror.removeprefix(f'{folder}/' if folder else '')}"


def module_findings(
    declaration: Declaration, rules: BoundaryDeclaration, guarded: Guarded, modules: Sequence[Module]
) -> Iterator[Finding]:
    """Find module files that name the mirrored code otherwise, or take the declared module from elsewhere."""
    place = posixpath.join(declaration.path, rules.source).rstrip("/")
    used = _used(modules)
    for one in modules:
        if _is(one, GO_MOD) or _is(one, GO_WORK):
            yield from _replaced(one, rules, guarded, place)
        if _is(one, GO_MOD) and not any(_is_above(folder, one.path) for folder in used.get(place, ())):
            yield from _required(one, rules)
        if _is(one, GO_MOD):
            yield from _claimed(one, guarded)
        if _is(one, VENDORED) and "vendor" in posixpath.dirname(one.path).split("/"):
            yield from _vendored(one, rules, guarded)


def _replaced(module: Module, rules: BoundaryDeclaration, guarded: Guarded, place: str) -> Iterator[Finding]:
    folder = posixpath.dirname(module.path)
    for one in replacements(_text(module)):
        target = posixpath.normpath(posixpath.join(folder, one.target)) if one.is_folder else ""
        if one.module == rules.package and target != place:
            text = f"takes {one.module} from {one.target}, not from {place}"
            yield Finding("IMP009", raw_path(module.path), text, "replace it by the mirrored folder", one.line)
        elif target and guarded.covers(target) and one.module not in guarded.prefixes:
            text = f"makes {one.target} importable as {one.module}"
            yield Finding("IMP008", raw_path(module.path), text, _FIX, one.line)
    for used in directives(_text(module)):
        if used.verb == "use" and used.words and _is(module, GO_WORK):
            target = posixpath.normpath(posixpath.join(folder, used.words[0]))
            if guarded.covers(target) and target != place and target not in guarded.modules:
                text = f"uses {used.words[0]}, which is no module of the mirror"
                yield Finding("IMP008", raw_path(module.path), text, _FIX, used.line)


def _required(module: Module, rules: BoundaryDeclaration) -> Iterator[Finding]:
    text = _text(module)
    if any(one.module == rules.package for one in replacements(text)):
        return
    for one in directives(text):
        if one.verb == "require" and one.words and one.words[0] == rules.package:
            said = f"requires {one.words[0]}, which is downloaded and not taken from the mirrored folder"
            yield Finding("IMP009", raw_path(module.path), said, "replace it by the mirrored folder", one.line)


def _claimed(module: Module, guarded: Guarded) -> Iterator[Finding]:
    """Find a module of our own by the name of a mirrored one, and programs of the mirror that it builds as tools."""
    for one in directives(_text(module)):
        if one.verb == "module" and one.words and guarded.holds(one.words[0]):
            said = f"declares {one.words[0]} beside the mirrored one; a workspace takes it in its place"
            yield Finding("IMP009", raw_path(module.path), said, "give it another name", one.line)
        elif one.verb == "tool" and one.words and guarded.holds(one.words[0]):
            said = f"builds {one.words[0]} as a tool"
            yield Finding("IMP002", raw_path(module.path), said, "take the line out", one.line)


def _vendored(module: Module, rules: BoundaryDeclaration, guarded: Guarded) -> Iterator[Finding]:
    folder = posixpath.dirname(posixpath.dirname(module.path))
    for number, line in enumerate(_text(module).splitlines(), 1):
        words = line.split()
        if words[:1] == ["#"] and words[1:2] == [rules.package]:
            said = f"holds a copy of {rules.package}, which a build takes in place of the mirrored folder"
            yield Finding("IMP009", raw_path(module.path), said, "leave it out of the vendored modules", number)
        elif words[:1] == ["#"] and "=>" in words[2:-1]:
            target = words[words.index("=>") + 1]
            if target.startswith(".") and guarded.covers(posixpath.normpath(posixpath.join(folder, target))):
                said = f"makes {target} importable as {words[1]}"
                yield Finding("IMP008", raw_path(module.path), said, _FIX, number)


def _used(modules: Sequence[Module]) -> Mapping[str, list[str]]:
    """The folders that a `go.work` uses, each with the folders of these files."""
    found: dict[str, list[str]] = {}
    for module in modules:
        folder = posixpath.dirname(module.path)
        for one in directives(_text(module)) if _is(module, GO_WORK) else ():
            if one.verb == "use" and one.words:
                target = posixpath.normpath(posixpath.join(folder, one.words[0]))
                found.setdefault(target, []).append(folder)
    return found


def _is_above(folder: str, path: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _is(module: Module, name: str) -> bool:
    return posixpath.basename(module.path) == name


def _text(module: Module) -> str:
    return module.content.decode("utf-8", "replace")
