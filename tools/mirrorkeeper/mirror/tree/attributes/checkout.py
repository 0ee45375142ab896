"""Attributes by which a checkout, an archive or a merge writes other bytes of mirrored files than git stores.

Theory of operation. Git reads attributes from the folder of a file upwards. Those inside the mirrored folder are the
upstream's, and part of the pinned tree; those above it, those of the clone and those of the person are ours. A checkout
reads them from the index, before the files stand there: both are judged, and a rule counts that is in one of them.

All of them in an empty repository, asked about every mirrored path, show what holds; what holds by the upstream's files
alone is its own affair. A person's file that sets everything shows which paths ours do not guard: there, settings of a
clone or of a person convert files that every gate elsewhere calls clean. Names are compared with and without case, as
both sorts of clones are made.

An archive asks about folders as well, by names that end in a slash, and leaves everything below one that is ignored
out: so do we, up to the top of the repository, where something sets that attribute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....declaration.declaration import Declaration
from ....declaration.policy import matches
from ....findings import Finding
from ....git.guard import GUARD
from ....project import Project
from ....text import counted
from .named_attributes import sets_anything, turns_on
from .plain_guard import is_plainly_guarded
from .sources import NAME, attribute_names, mirrored_files, own_files, personal_attributes

_LISTED = 10
_WRITES = "may write other bytes than the pinned ones"
_CONSEQUENCES = {
    "export-ignore": "an archive leaves it out",
    "export-subst": f"an archive {_WRITES}",
    "merge": f"a merge {_WRITES}",
}


class _JudgedPaths(NamedTuple):
    """Mirrored paths by the setting that changes their bytes, those without a guard, and files with such settings."""

    by_setting: dict[str, dict[bytes, None]]
    unguarded: dict[bytes, None]
    files: dict[str, None]


def checkout_findings(
    project: Project,
    declaration: Declaration,
    revision: str | None = None,
    *,
    staged: Mapping[str, bytes] | None = None,
    personal: bytes | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each setting that changes bytes of mirrored files, and one for files without a guard.

    Paths that are accepted are left out. With `revision`, the attributes and paths of that commit are judged instead of
    those at hand. `staged` are our attribute files in the index, and `personal` those of the system and of the person,
    where they were read already.
    """
    if project.prefix is None:
        return
    if personal is None:
        personal = personal_attributes(project) if revision is None else b""
    judged = _judge(project, declaration, revision, staged, personal)
    accepted = declaration.accepted.attributes
    converted = {path for paths in judged.by_setting.values() for path in paths}
    line = f"add `{declaration.path}/** {GUARD}` to the end of {NAME}"
    below = [name for name in judged.files if name != (project.prefix or "") + NAME]
    fix = f"take it out of {', '.join(below)}" if below else line
    whose = "our own attributes" if judged.files else "attributes of this machine"
    for setting, paths in sorted(judged.by_setting.items()):
        text = _CONSEQUENCES.get(setting.partition("=")[0], f"a checkout {_WRITES}")
        yield from _one(declaration, "ENV009", paths, (f"{whose} set {setting} on it", text), fix)
    text = "settings of a clone or of a person may change its bytes"
    left = {path: None for path in judged.unguarded if path not in converted}
    yield from _one(declaration, "ENV010", left, ("no attributes of ours guard it", text), line)
    for pattern in accepted:
        if not any(matches((pattern,), path) for path in (*converted, *judged.unguarded)):
            text = f"accepts attributes on {pattern!r}, and ours convert no such path"
            yield Finding("MIR008", project.declaration.encode(), text, "take it out")


def _one(
    declaration: Declaration, code: str, found: Mapping[bytes, None], texts: tuple[str, str], fix: str
) -> Iterator[Finding]:
    accepted = declaration.accepted.attributes
    paths = [path for path in found if not (accepted and matches(accepted, path))]
    if paths:
        aside = f" and {counted(len(paths) - 1, 'other file')}" if paths[1:] else ""
        shown = tuple(path.decode("utf-8", "backslashreplace") for path in paths[:_LISTED])
        place = declaration.path.encode() + b"/" + paths[0]
        yield Finding(code, place, f"{texts[0]}{aside}: {texts[1]}", fix, details=shown if paths[1:] else ())


def _judge(
    project: Project,
    declaration: Declaration,
    revision: str | None,
    staged: Mapping[str, bytes] | None,
    personal: bytes,
) -> _JudgedPaths:
    judged = _JudgedPaths({}, {}, {})
    sets = own_files(project, declaration.path, revision, staged)
    names, folder = attribute_names(project, declaration.path), (project.prefix or "") + declaration.path
    plain = all(is_plainly_guarded(own, names, folder, personal) for own in sets)
    paths = () if plain and not declaration.accepted.attributes else _paths(project, declaration, revision)
    prefix, top = (project.prefix or "").encode(), declaration.path.encode() + b"/"
    ignoring = any(turns_on("export-ignore", content) for own in sets for content in (*own.values(), personal))
    folders = list(_folders(prefix, top, paths)) if ignoring else []
    if not paths and not folders:
        return judged
    from .judgement import Given
    from .values import case_matters

    upstream = mirrored_files(project, revision, paths)
    for own in sets:
        given = Given(own, upstream, personal if sets_anything(personal) else b"")
        whole = [prefix + path for path in paths]
        folded = case_matters(given.files.contents, whole)
        for asked, ignore_case in ((whole, False), (folded, True)):
            if asked:
                _add(judged, given.judge(asked, ignore_case=ignore_case), len(prefix + top))
            for path, settings, _ in given.judge(folders, ignore_case=ignore_case) if folders else ():
                left_out = [one for one in settings if one == "export-ignore"]
                _add(judged, iter([(path, left_out, True)]), len(prefix + top))
        judged.files.update(dict.fromkeys(name for name, content in own.items() if sets_anything(content)))
    return judged


def _folders(prefix: bytes, top: bytes, paths: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the folders that hold the paths, and the mirrored one and those above it, as an archive names them."""
    found: dict[bytes, None] = {}
    for path in (top + b"any-file", *paths):
        folder = (prefix + path).rpartition(b"/")[0]
        while folder and folder not in found:
            found[folder] = None
            folder = folder.rpartition(b"/")[0]
    return (folder + b"/" for folder in found)


def _add(judged: _JudgedPaths, found: Iterator[tuple[bytes, Sequence[str], bool]], cut: int) -> None:
    for path, settings, guarded in found:
        for setting in settings:
            judged.by_setting.setdefault(setting, {})[path[cut:]] = None
        if not guarded:
            judged.unguarded[path[cut:]] = None


def _paths(project: Project, declaration: Declaration, revision: str | None) -> list[bytes]:
    """Return the mirrored paths from the project's folder."""
    if revision is not None:
        listed = project.git.run("ls-tree", "-r", "-z", "--name-only", revision, "--", f"{declaration.path}/")
    else:
        listed = project.git.run("ls-files", "-z", "--", f"{declaration.path}/")
    return sorted(set(listed.stdout.split(b"\0")[:-1]))
