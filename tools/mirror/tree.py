"""Trees: the part of a release that is mirrored, the same with patches, and the files that lie in a folder."""

from __future__ import annotations

import hashlib
import os
import posixpath
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .declaration import Declaration
from .errors import ToolError
from .repository import Repository

FILE = "100644"
PROGRAM = "100755"
LINK = "120000"
SUBMODULE = "160000"
_SHOWN = 10


@dataclass(frozen=True)
class Row:
    """An entry of a tree that is no folder: its mode, and the id of its bytes."""

    mode: str
    oid: str


def list_tree(repository: Repository, tree: str) -> dict[str, Row]:
    """Return all entries below a tree by their paths."""
    rows = {}
    for record in repository.run("ls-tree", "-r", "-z", "--full-tree", tree).records:
        head, _, path = record.partition("\t")
        mode, _, oid = head.split(" ")
        rows[path] = Row(mode, oid)
    return rows


def base_tree(repository: Repository, commit: str, declaration: Declaration, index: Path) -> str:
    """Return the tree of a commit without the excluded paths; `index` is a file to work in."""
    if not declaration.exclude:
        return repository.run("rev-parse", "--verify", f"{commit}^{{tree}}").text
    rows = list_tree(repository, commit)
    lines = [f"{row.mode} {row.oid}\t{path}" for path, row in rows.items() if not declaration.excludes(path)]
    index.unlink(missing_ok=True)
    variables = {"GIT_INDEX_FILE": str(index)}
    stdin = os.fsencode("".join(f"{line}\0" for line in lines))
    repository.run("update-index", "-z", "--index-info", stdin=stdin, env=variables)
    return repository.run("write-tree", env=variables).text


def patched_tree(repository: Repository, base: str, patches: Sequence[Path], index: Path) -> str | None:
    """Return the tree with patches applied in order, as `git apply` does; None when one does not apply."""
    if not patches:
        return base
    index.unlink(missing_ok=True)
    variables = {"GIT_INDEX_FILE": str(index)}
    repository.run("read-tree", base, env=variables)
    paths = [str(path) for path in patches]
    applied = repository.run("apply", "--cached", "--whitespace=nowarn", *paths, env=variables, check=False)
    return repository.run("write-tree", env=variables).text if applied.status == 0 else None


def refuse_problems(repository: Repository, tree: str, declaration: Declaration) -> None:
    """Refuse a tree that cannot, or must not, be written into the project.

    Raises:
        ToolError: it is over a limit, has a submodule, or a link that leads out of the mirrored folder.
    """
    problems = list(_problems(repository, tree, declaration))
    if problems:
        more = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
        hint = "exclude what cannot be mirrored, or raise the limit, in upstream.toml"
        raise ToolError("the release cannot be mirrored", hint, [*problems[:_SHOWN], *more])


def _problems(repository: Repository, tree: str, declaration: Declaration) -> Iterator[str]:
    limits, total, links = declaration.limits, 0, dict[str, str]()
    records = repository.run("ls-tree", "-r", "-l", "-z", "--full-tree", tree).records
    for record in records:
        head, _, path = record.partition("\t")
        mode, _, oid, size = head.split()
        if mode == SUBMODULE:
            yield f"{path}: a submodule cannot be mirrored as files"
            continue
        if mode == LINK:
            links[path] = oid
        total += int(size)
        if int(size) > limits.file_bytes:
            yield f"{path}: {size} bytes, file_bytes allows {limits.file_bytes}"
    if total > limits.total_bytes:
        yield f"all files: {total} bytes, total_bytes allows {limits.total_bytes}"
    if len(records) > limits.files:
        yield f"{len(records)} files, files allows {limits.files}"
    for path, content in zip(links, repository.read_blobs(links.values()) if links else (), strict=True):
        target = os.fsdecode(content)
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if target.startswith("/") or place == ".." or place.startswith("../"):
            yield f"{path}: the link to {target} leads out of the mirrored folder"


def read_folder(folder: Path) -> dict[str, Row]:
    """Return the files and links below a folder by their paths, each with its mode and the id of its bytes.

    A pipe, a socket or another thing that is neither file, link nor folder has mode `0`; a repository in the folder has
    the mode of a submodule.
    """
    return dict(_read_folder(str(folder), ""))


def _read_folder(folder: str, prefix: str) -> Iterator[tuple[str, Row]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda item: item.name):
            path = prefix + entry.name
            if entry.is_symlink():
                yield path, Row(LINK, blob_id(os.fsencode(Path(entry.path).readlink())))
            elif entry.is_dir():
                if prefix and entry.name == ".git":
                    yield path, Row(SUBMODULE, "")
                else:
                    yield from _read_folder(entry.path, f"{path}/")
            elif entry.is_file():
                executable = entry.stat().st_mode & stat.S_IXUSR
                with open(entry.path, "rb") as file:  # noqa: PTH123 - a Path for each of thousands of files costs a third
                    yield path, Row(PROGRAM if executable else FILE, blob_id(file.read()))
            else:
                yield path, Row("0", "")


def blob_id(content: bytes) -> str:
    """Return the id git gives these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class Converted:
    """Paths whose bytes attributes would change: by our own attributes, and by those that a person could set."""

    by_ours: Mapping[str, str]
    unguarded: tuple[str, ...]


_ATTRIBUTES = ("text", "eol", "ident", "filter", "working-tree-encoding")
_EVERYTHING = "* text eol=crlf ident filter=any working-tree-encoding=UTF-16\n"


def converted_paths(project: Repository, declaration: Declaration, paths: Sequence[str], work: Path) -> Converted:
    """Judge the attributes of our repository on mirrored paths.

    Our attribute files are those above the mirrored folder and the clone's own; those inside are the upstream's. They
    are copied to a repository of their own in `work` and asked twice: alone, and over attributes that set everything,
    which shows the paths that settings of a person could convert.
    """
    repository = Repository.create(work / "attributes.git")
    tree = work / "attributes"
    top = Path(os.path.realpath(project.run("rev-parse", "--show-toplevel").text))
    folders = ["", *_ancestors(project.prefix + declaration.path), project.prefix + declaration.patches.folder]
    for folder in folders:
        _copy(top / folder / ".gitattributes", tree / folder / ".gitattributes")
    clone = Path(project.run("rev-parse", "--path-format=absolute", "--git-path", "info/attributes").text)
    (work / "attributes.git/info/attributes").unlink()
    _copy(clone, work / "attributes.git/info/attributes")
    everything = work / "everything"
    everything.write_text(_EVERYTHING, encoding="utf-8")
    tree.mkdir(exist_ok=True)
    names = [project.prefix + path for path in paths]
    alone = _effects(repository, tree, names, None)
    probed = _effects(repository, tree, names, everything)
    cut = len(project.prefix)
    by_ours = {name[cut:]: text for name, text in alone.items()}
    return Converted(by_ours, tuple(name[cut:] for name in probed if name not in alone))


def _ancestors(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())


def _effects(repository: Repository, tree: Path, names: Sequence[str], personal: Path | None) -> dict[str, str]:
    """Return the paths whose bytes the attributes change, each with the attribute that does."""
    variables = {"GIT_DIR": str(repository.folder), "GIT_WORK_TREE": str(tree), "GIT_LITERAL_PATHSPECS": "0"}
    options = ["-c", f"core.attributesFile={personal}"] if personal else []
    stdin = os.fsencode("".join(f"{name}\0" for name in names))
    place = Repository(tree)
    records = place.run(*options, "check-attr", "-z", "--stdin", *_ATTRIBUTES, stdin=stdin, env=variables).records
    effects = dict[str, str]()
    values = dict[str, dict[str, str]]()
    for path, attribute, value in zip(records[::3], records[1::3], records[2::3], strict=True):
        values.setdefault(path, {})[attribute] = value
    for path, row in values.items():
        if row["text"] != "unset" and (row["text"] != "unspecified" or row["eol"] != "unspecified"):
            # `text` alone writes the stored bytes of a file with plain newlines; another file it changes.
            setting = "eol" if row["eol"] not in ("unspecified", "unset") else "text"
            effects[path] = f"{setting}={row[setting]}"
        for attribute in ("ident", "filter", "working-tree-encoding"):
            if row[attribute] not in ("unspecified", "unset"):
                effects[path] = f"{attribute}={row[attribute]}"
    return effects
