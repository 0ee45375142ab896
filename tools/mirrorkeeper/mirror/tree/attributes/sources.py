"""Attribute files that git reads for mirrored paths: ours, the upstream's, those of the clone and of the person.

Theory of operation. The nearest file to a path wins: the clone's own first, then from the folder of the path upwards,
the person's and the system's last. A link in the place of an attribute file is not followed, as git does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from ....git.command import Output, Running
from ....git.named_objects import read_named
from ....project import Project

NAME = ".gitattributes"
CLONE = ".git/info/attributes"
_SYSTEM = Path("/etc/gitattributes")


def attribute_names(project: Project, path: str) -> list[str]:
    """Return where attribute files above a path of the project can lie, from the top of the repository."""
    above = PurePosixPath((project.prefix or "") + path).parents
    return [(folder / NAME).as_posix() for folder in above]


def own_files(
    project: Project, path: str, revision: str | None = None, staged: Mapping[str, bytes] | None = None
) -> list[Mapping[str, bytes]]:
    """Return the attribute files above a path of the project and that of the clone, by path from the repository's top.

    Those of a revision, or those at hand and, where they are others, those of the index.
    """
    names = attribute_names(project, path)
    if revision is not None:
        return [_stored(project, revision, names)]
    own = _read_all({CLONE: _clone_attributes(project)})
    at_hand = _read_all({name: project.top / name for name in names})
    held = _stored(project, "", names) if staged is None else staged
    if held == at_hand or (not held and not _stored(project, "HEAD", names)):  # the latter: not committed yet
        return [{**at_hand, **own}]
    return [{**at_hand, **own}, {**held, **own}]


def mirrored_files(project: Project, revision: str | None, paths: Iterable[bytes]) -> dict[str, bytes]:
    """Return the upstream's attribute files among the mirrored paths, as git stores them."""
    end = b"/" + NAME.encode()
    names = [path.decode("utf-8", "surrogateescape") for path in paths if path.endswith(end)]
    prefix = project.prefix or ""
    return _stored(project, revision or "", [prefix + name for name in names]) if names else {}


def personal_attributes(project: Project) -> bytes:
    """Return the attributes of the system and of the person: what `core.attributesFile`, or its default, holds."""
    return read_personal(project, start_personal(project).finish())


def start_personal(project: Project) -> Running:
    """Ask for the place of the person's attributes; `read_personal` takes the answer."""
    return project.git.start("config", "--show-scope", "--get-all", "core.attributesFile", network=True)


def read_personal(project: Project, answer: Output) -> bytes:
    """Return the attributes of the system and of the person, whose place the answer names."""
    listed = answer.text.splitlines()
    named = [value for scope, _, value in (line.partition("\t") for line in listed) if scope != "command"]
    system, person = attribute_places(project, named)
    return b"\n".join(_read_all({"system": system, "person": person}).values())


def attribute_places(project: Project, named: Sequence[str]) -> tuple[Path, Path]:
    """Return where attributes of the system and of the person lie, by the values of `core.attributesFile`."""
    # A relative name counts from the top of the repository, where git works.
    return _SYSTEM, project.top / Path(named[-1]).expanduser() if named and named[-1] else _default_place()


def _default_place() -> Path:
    import os

    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(home, "git", "attributes").expanduser()


def _read_all(places: Mapping[str, Path]) -> dict[str, bytes]:
    followed = (CLONE, "system", "person")
    found = {}
    for name, path in places.items():
        try:
            if path.is_file() and (name in followed or not path.is_symlink()):
                found[name] = path.read_bytes()
        except OSError:  # git passes over what it cannot read
            continue
    return found


def _stored(project: Project, revision: str, names: Sequence[str]) -> dict[str, bytes]:
    """Return the files git stores below these names, in a revision, or in the index for none."""
    held = read_named(project.git, [f"{revision}:{name}" for name in names])
    return {name: one.body for name, one in zip(names, held, strict=True) if one is not None and one.kind == "blob"}


def _clone_attributes(project: Project) -> Path:
    if (project.top / ".git").is_dir():
        return project.top / CLONE
    return Path(project.git.run("rev-parse", "--path-format=absolute", "--git-path", "info/attributes").text)
