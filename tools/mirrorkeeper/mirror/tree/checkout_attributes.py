"""Attributes of our own repository by which a checkout writes other bytes into mirrored files than git stores.

Theory of operation. Git reads attributes from the folder of a file upwards. Those inside the mirrored folder are the
upstream's, and part of the pinned tree; those above it, and those of the clone alone, are ours. A checkout reads them
from the index, before the files stand there: both are judged, and a rule counts that is in one of them. A copy of ours
in an empty repository, asked about every mirrored path, shows what ours do. A file that names none of the attributes
and no macro cannot do anything, which is seen without git.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...declaration.declaration import Declaration
from ...declaration.policy import matches
from ...findings import Finding
from ...git.command import Git
from ...project import Project
from ...text import counted
from .listing import read_named

_ATTRIBUTES = ("text", "eol", "ident", "filter", "working-tree-encoding")
_NAMED = re.compile(rb"\b(?:text|eol|ident|filter|working-tree-encoding|crlf)\b|\[attr\]")
_OFF = ("unset", "unspecified")
_OFF_BYTES = frozenset(one.encode() for one in _OFF)
_LISTED = 10
_CLONE = ".git/info/attributes"


class _Converted(NamedTuple):
    """A mirrored path that an attribute converts."""

    path: bytes
    setting: str


def checkout_findings(
    project: Project,
    declaration: Declaration,
    revision: str | None = None,
    *,
    staged: Mapping[str, bytes] | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each attribute of ours that converts mirrored files and is not accepted by path.

    With `revision`, the attributes and paths of that commit are judged instead of those at hand. `staged` are our
    attribute files in the index, where they were read already.
    """
    accepted = declaration.accepted.attributes
    converted = _converted(project, declaration, revision, staged) if project.prefix is not None else []
    by_setting: dict[str, list[bytes]] = {}
    for one in converted:
        if not (accepted and matches(accepted, one.path)):
            by_setting.setdefault(one.setting, []).append(one.path)
    top = declaration.path.encode() + b"/"
    for setting, paths in sorted(by_setting.items()):
        aside = f" and {counted(len(paths) - 1, 'other file')}" if paths[1:] else ""
        text = f"our own attributes set {setting} on it{aside}: a checkout may write other bytes than the pinned ones"
        fix = (
            f"add `{declaration.path}/** -text !eol !ident !filter !working-tree-encoding` to the end of .gitattributes"
        )
        shown = tuple(path.decode("utf-8", "backslashreplace") for path in paths[:_LISTED])
        yield Finding("ENV009", top + paths[0], text, fix, details=shown if paths[1:] else ())
    for pattern in accepted:
        if not any(matches((pattern,), one.path) for one in converted):
            text = f"accepts attributes on {pattern!r}, and ours convert no such path"
            yield Finding("MIR008", project.declaration.encode(), text, "take it out")


def _converted(
    project: Project, declaration: Declaration, revision: str | None, staged: Mapping[str, bytes] | None
) -> list[_Converted]:
    found = [
        one
        for files in _own_files(project, declaration, revision, staged)
        if any(_NAMED.search(content) for content in files.values())
        for one in _converted_by(project, declaration, revision, files)
    ]
    return list(dict.fromkeys(found))


def _converted_by(
    project: Project, declaration: Declaration, revision: str | None, files: Mapping[str, bytes]
) -> Iterator[_Converted]:
    paths = _paths(project, declaration, revision)
    if not paths:
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="attributes-") as name:
        values = _values(Path(name), files, [(project.prefix or "").encode() + path for path in paths])
    top = declaration.path.encode() + b"/"
    for path, found in zip(paths, values, strict=bool(values)):
        for setting in _conversions(found):
            yield _Converted(path.removeprefix(top), setting)


def _conversions(values: Mapping[str, str]) -> Iterator[str]:
    """Yield the settings that change bytes; an end of line has no effect on what is no text. Pure.

    A file that is text has line ends of the person's own, by `core.eol` or by the system.
    """
    if values["eol"] not in _OFF and values["text"] != "unset":
        yield f"eol={values['eol']}"
    elif values["text"] not in _OFF:
        yield "text" if values["text"] == "set" else f"text={values['text']}"
    for name in ("ident", "filter", "working-tree-encoding"):
        if values[name] not in _OFF:
            yield name if values[name] == "set" else f"{name}={values[name]}"


def attribute_names(project: Project, declaration: Declaration) -> list[str]:
    """Return where attribute files above the mirrored folder can lie, from the top of the repository."""
    above = PurePosixPath((project.prefix or "") + declaration.path).parents
    return [(folder / ".gitattributes").as_posix() for folder in above]


def _own_files(
    project: Project, declaration: Declaration, revision: str | None, staged: Mapping[str, bytes] | None
) -> list[Mapping[str, bytes]]:
    """The attribute files above the mirrored folder and that of the clone, by path from the top of the repository.

    Those of a revision, or those at hand and, where they are others, those of the index.
    """
    names = attribute_names(project, declaration)
    if revision is not None:
        return [_stored(project, revision, names)]
    clone = _clone_attributes(project)
    own = {_CLONE: clone.read_bytes()} if clone.is_file() else {}
    places = {name: project.top / name for name in names}
    at_hand = {name: path.read_bytes() for name, path in places.items() if path.is_file()}
    held = _stored(project, "", names) if staged is None else staged
    return [{**at_hand, **own}, *([{**held, **own}] if held and held != at_hand else [])]


def _stored(project: Project, revision: str, names: Sequence[str]) -> dict[str, bytes]:
    """Return the files git stores below these names, in a revision, or in the index for none."""
    held = read_named(project.git, [f"{revision}:{name}" for name in names])
    return {name: one.body for name, one in zip(names, held, strict=True) if one is not None}


def _clone_attributes(project: Project) -> Path:
    if (project.top / ".git").is_dir():
        return project.top / _CLONE
    return Path(project.git.run("rev-parse", "--path-format=absolute", "--git-path", "info/attributes").text)


def _paths(project: Project, declaration: Declaration, revision: str | None) -> list[bytes]:
    if revision is not None:
        listed = project.git.run("ls-tree", "-r", "-z", "--name-only", revision, "--", f"{declaration.path}/")
    else:
        listed = project.git.run("ls-files", "-z", "--", f"{declaration.path}/")
    return sorted(set(listed.stdout.split(b"\0")[:-1]))


def _values(folder: Path, files: Mapping[str, bytes], paths: Sequence[bytes]) -> list[dict[str, str]]:
    """Return the attributes of each path; none at all when they convert no path."""
    git = Git(folder)
    git.run("init", "--quiet", ".")
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    # The command refuses the setting that takes every path literally; it has no pathspecs.
    answer = git.run(
        "check-attr", "-z", "--stdin", *_ATTRIBUTES,
        stdin=b"".join(path + b"\0" for path in paths), environment={"GIT_LITERAL_PATHSPECS": "0"},
    )  # fmt: skip
    given = answer.stdout.split(b"\0")[2::3]
    if _OFF_BYTES.issuperset(given):  # as in nearly every project, and there are many of them
        return []
    values = [value.decode("utf-8", "backslashreplace") for value in given]
    size = len(_ATTRIBUTES)
    return [dict(zip(_ATTRIBUTES, values[at : at + size], strict=True)) for at in range(0, len(values), size)]
