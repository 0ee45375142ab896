"""Trees: the part of a release that is mirrored, the same with patches, and the files that lie in a folder."""

import hashlib
import os
import posixpath
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .declaration import Declaration
from .errors import ToolError
from .report import counted
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

    Raises ToolError: it is over a limit, has a submodule, or a link that leads out of the mirrored folder.
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
        yield f"{counted(len(records), 'file')}, files allows {limits.files}"
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
