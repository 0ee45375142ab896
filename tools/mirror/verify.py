"""`mirror verify`: compare the rebuilt release with the working files, the index and the last commit.

The pin is fetched from the bundles into an empty repository, the patches are applied in order, and the result has to be
the locked one; then every path, mode, link and byte is compared. The index and the last commit are each compared with
the lock that they hold themselves, so that a synchronization that is not committed yet is a note and no error.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from .attributes import attribute_findings, checked_out
from .declaration import FILE as DECLARATION
from .declaration import Declaration
from .errors import ToolError
from .findings import Finding
from .lock import Lock, parse_lock, required_lock, sha256_of
from .releases import RECORD, Source, moved_tag, releases_in
from .repository import Repository
from .tree import FILE, LINK, PROGRAM, SUBMODULE, Row, base_tree, blob_id, list_tree, patched_tree, read_folder
from .work import work_folder

CONFLICT = re.compile(rb"^\+(<{7}|>{7}) ", re.MULTILINE)
_IMPORTED = (".py", ".so", ".pyd", ".pyc", ".go")
_RESTORE = "git restore it, or `python -m tools mirror sync`"
_SYNC = "python -m tools mirror sync"


@dataclass(frozen=True)
class _Rebuilt:
    """The rebuilt release: the rows by path, or None while the pin cannot be rebuilt."""

    rows: Mapping[str, Row] | None
    findings: tuple[Finding, ...]


def verify(declaration: Declaration) -> list[Finding]:
    """Return every difference between the project and its declaration, bundles and patches.

    Raises ToolError: it could not be checked.
    """
    project = Repository.at(declaration.root)
    lock = required_lock(declaration)
    with tempfile.TemporaryDirectory(prefix="mirror-") as name:
        work = Path(name)
        rebuilt = _rebuild(declaration, lock, work)
        findings = [*rebuilt.findings, *check_patches(declaration, lock), *_lock_findings(declaration, lock)]
        findings += attribute_findings(project, declaration, list(_index_rows(project, declaration)), work)
        if rebuilt.rows is not None:
            findings += _working_files(project, declaration, rebuilt.rows, work / "checkout")
        findings += _stored(project, declaration, lock, rebuilt.rows)
    return findings


def check_patches(declaration: Declaration, lock: Lock | None = None) -> list[Finding]:
    """Return the problems with patch files: not listed, not there, changed since the mirror was made."""
    lock = lock or required_lock(declaration)
    names = declaration.patches.order
    findings = []
    locked = {patch.name: patch.sha256 for patch in lock.patches}
    for name in names:
        path, shown = declaration.patch_file(name), f"{declaration.patches.folder}/{name}"
        if path.is_symlink() or not path.is_file():
            findings.append(Finding("PAT002", shown, "is listed, and no such file is there", "git restore it"))
        elif CONFLICT.search(path.read_bytes()):
            findings.append(Finding("PAT003", shown, "adds conflict markers", "settle them: patch edit, patch refresh"))
        elif name not in locked:
            findings.append(Finding("PAT001", shown, "is not applied to the mirror yet", _SYNC))
        elif sha256_of(path) != locked[name]:
            text = "is not the file the mirror was made with"
            findings.append(Finding("PAT001", shown, text, f"{_SYNC}, or git restore it"))
    for path in sorted(declaration.patch_folder.glob("*.patch")):
        if path.name not in names:
            shown = f"{declaration.patches.folder}/{path.name}"
            findings.append(
                Finding("PAT002", shown, f"is not listed in {DECLARATION}", "list it in `order`, or delete it")
            )
    return findings


def _rebuild(declaration: Declaration, lock: Lock, work: Path) -> _Rebuilt:
    """Fetch the pin, apply the patches, and compare the result with the lock."""
    source = Source.of(declaration)
    shown = str(declaration.lock_file.relative_to(declaration.root))
    findings = _bundle_findings(source)
    try:
        repository = _fetch_pin(declaration, source, lock, work)
        release = next((row for row in releases_in(repository, declaration) if row.tag == lock.tag.name), None)
    except ToolError as error:
        finding = Finding("PIN005", declaration.url, f"the pin cannot be rebuilt: {error.message}", error.hint)
        return _Rebuilt(None, (*findings, finding))
    if release is None:
        text = f"the upstream has no release {lock.tag.name}"
        return _Rebuilt(None, (*findings, Finding("PIN009", shown, text, f"{_SYNC} TAG")))
    findings += moved_tag(declaration, lock, release, declaration.url)
    if release.commit != lock.commit:
        return _Rebuilt(None, tuple(findings))
    index = work / "index"
    base = base_tree(repository, release.commit, declaration, index)
    if base != lock.base_tree:
        text = "base_tree is not the tree of the release without what is excluded"
        findings.append(Finding("PIN001", shown, text, f"git restore it, or {_SYNC}"))
    patches = [declaration.patch_file(name) for name in declaration.patches.order]
    complete = all(path.is_file() for path in patches)
    final = patched_tree(repository, base, patches, index) if complete else None
    if complete and final is None:
        text = f"the patches do not apply to {lock.tag.name}"
        findings.append(Finding("PAT004", declaration.patches.folder, text, "python -m tools patch refresh"))
    if final is not None and final != lock.final_tree:
        text = "final_tree is not the tree of the release with the patches"
        findings.append(Finding("PIN001", shown, text, f"git restore it, or {_SYNC}"))
    return _Rebuilt(None if final is None else list_tree(repository, final), tuple(findings))


def _fetch_pin(declaration: Declaration, source: Source, lock: Lock, work: Path) -> Repository:
    """Return a repository with the pinned release: of bundles an empty one that gets them all, else the cached one."""
    cached = work_folder(declaration) / "repository"
    if source.bundles is None and cached.is_dir():
        repository = Repository(cached, source.settings)
        if repository.commit_of(lock.commit):
            return repository
    repository = Repository.create(work / "repository", (*source.settings, "core.fsync=none"))
    if source.bundles is None:
        source.fetch_tag(repository, lock.tag.name)
    else:
        source.fetch(repository, check=False)
    return repository


def _bundle_findings(source: Source) -> list[Finding]:
    bundles = source.bundles
    if bundles is None:
        return []
    try:
        problems = bundles.problems()
    except ToolError as error:
        return [Finding("PIN004", f"{bundles.shown}/{RECORD}", error.message, error.hint)]
    return [Finding("PIN004", f"{bundles.shown}/{name}", text, "git restore it") for name, text in problems]


def _lock_findings(declaration: Declaration, lock: Lock) -> Iterator[Finding]:
    names = tuple(patch.name for patch in lock.patches)
    if (lock.url, names) != (declaration.url, declaration.patches.order):
        yield Finding("PIN002", DECLARATION, "the lock was made from another url or another list of patches", _SYNC)
    if lock.fetched_from != declaration.url:
        text = f"the release was fetched from {lock.fetched_from}, not from the declared {declaration.url}"
        yield Finding("PIN016", DECLARATION, text, _SYNC)
    if (work_folder(declaration) / "next.json").exists():
        text = "a synchronization was interrupted"
        hint = f"{_SYNC} ends it, `mirror sync --abort` takes it back"
        yield Finding("ENV004", declaration.path, text, hint)


def _working_files(
    project: Repository, declaration: Declaration, expected: Mapping[str, Row], work: Path
) -> Iterator[Finding]:
    mirror = declaration.mirror
    if mirror.is_symlink() or not mirror.is_dir():
        yield Finding("MIR003", declaration.path, "is no folder", _RESTORE)
        return
    rows = read_folder(mirror)
    differing = {path: row.oid for path, row in expected.items() if path in rows and _is_other_file(row, rows[path])}
    if differing and any(path.rpartition("/")[2] == ".gitattributes" for path in expected):
        # The upstream's own attributes convert in every clone: git calls that file unchanged, and would write it again.
        for path, content in checked_out(project, declaration, differing, list(expected), work).items():
            if rows[path].oid == blob_id(content):
                rows[path] = replace(rows[path], oid=expected[path].oid)
    yield from _with_modes(project, declaration, rows, _differences(declaration, expected, rows, ""))
    more = [path for path in rows if path not in expected]
    ignored = set(_ignored(project, declaration, more))
    cached = _index_rows(project, declaration)
    for path in more:
        shown = f"{declaration.path}/{path}"
        if path in ignored:
            yield _ignored_file(shown, path)
        elif path not in cached:
            yield Finding("MIR006", shown, "is not in the pinned release, and git does not know it", "delete it")
        else:
            yield Finding("MIR002", shown, "is not in the pinned release", "delete it, or make a patch of it")
    for folder in sorted({parent for path in expected for parent in PurePosixPath(path).parents}):
        if (mirror / folder).is_symlink():
            yield Finding("MIR005", f"{declaration.path}/{folder}", "is a link, and has to be a folder", _RESTORE)


def _is_other_file(row: Row, other: Row) -> bool:
    return {row.mode, other.mode} <= {FILE, PROGRAM} and row.oid != other.oid


def _with_modes(
    project: Repository, declaration: Declaration, rows: Mapping[str, Row], findings: Iterator[Finding]
) -> Iterator[Finding]:
    """Yield the findings of the working files, those about modes as `core.fileMode` of the repository has it.

    Where it is false, git neither sees nor restores a mode. A file system without modes shows every file alike: nothing
    can be compared there, and the modes of index and last commit count.
    """
    listed = list(findings)
    modes = [finding for finding in listed if finding.code == "MIR004"]
    if not modes or project.run("config", "--type=bool", "core.fileMode", check=False).text != "false":
        yield from listed
        return
    yield from (finding for finding in listed if finding.code != "MIR004")
    if len({row.mode for row in rows.values()} & {FILE, PROGRAM}) == 1:
        text = "core.fileMode is false, and all working files have one mode: index and last commit are compared alone"
        yield Finding("MIR015", declaration.path, text)
        return
    hint = f"git config core.fileMode true, then git restore {declaration.path}"
    for finding in modes:
        yield replace(finding, message=f"{finding.message}; git ignores it, as core.fileMode is false", hint=hint)


def _ignored_file(shown: str, path: str) -> Finding:
    *folders, name = path.split("/")
    hidden = any(folder.startswith(".") or folder == "__pycache__" for folder in folders)
    if name.endswith(_IMPORTED) and not hidden:
        text = "git ignores it, and an import or a compiler takes it for a part of the release"
        return Finding("MIR017", shown, text, "delete it")
    return Finding("MIR010", shown, "is not in the pinned release; git ignores it")


def _differences(
    declaration: Declaration, expected: Mapping[str, Row], rows: Mapping[str, Row], where: str
) -> Iterator[Finding]:
    """Yield one finding for each expected path that differs; `where` names the place in messages."""
    for path, row in expected.items():
        shown, other = f"{declaration.path}/{path}", rows.get(path)
        if other is None:
            kind = any(place.startswith(f"{path}/") for place in rows)
            code, text = ("MIR005", "is a folder, and has to be a file") if kind else ("MIR003", "is missing")
            yield Finding(code, shown, text + where, _RESTORE)
        elif (row.mode in (LINK, SUBMODULE)) != (other.mode in (LINK, SUBMODULE)) or other.mode == "0":
            yield Finding("MIR005", shown, f"is of another kind (mode {other.mode}, not {row.mode}){where}", _RESTORE)
        elif row.oid != other.oid:
            yield Finding("MIR001", shown, f"has other bytes than the pinned release{where}", _RESTORE)
        elif row.mode != other.mode:
            yield Finding("MIR004", shown, f"has mode {other.mode}, not {row.mode}{where}", _RESTORE)


def _stored(
    project: Repository, declaration: Declaration, lock: Lock, rows: Mapping[str, Row] | None
) -> Iterator[Finding]:
    """Compare the index and the last commit, each with the lock that it holds."""
    stages = project.run("ls-files", "-u", "-z", "--", declaration.path).records
    for path in sorted({stage.partition("\t")[2] for stage in stages}):
        yield Finding("MIR018", path, "an unfinished merge holds several versions of it", "settle the merge")
    cached = _index_rows(project, declaration)
    yield from _compare(project, declaration, (lock, ":", " in the index"), cached, rows)
    if project.commit_of("HEAD") is None:
        return
    yield from _compare(project, declaration, (lock, "HEAD:", " in the last commit"), None, rows)


def _compare(
    project: Repository,
    declaration: Declaration,
    place: tuple[Lock, str, str],
    stored: Mapping[str, Row] | None,
    rows: Mapping[str, Row] | None,
) -> Iterator[Finding]:
    lock, revision, where = place
    stored_lock = _stored_lock(project, declaration, revision)
    text = f"the lock{where} is not that of the working files"
    if stored_lock is None or stored_lock.final_tree != lock.final_tree:
        shown = str(declaration.lock_file.relative_to(declaration.root))
        yield Finding("MIR011", shown, text, f"git add {shown} {declaration.path}, and commit")
        if stored_lock is None:
            return
    tree = project.run("rev-parse", "--verify", "--quiet", f"HEAD:{project.prefix}{declaration.path}", check=False).text
    if stored is None and tree == stored_lock.final_tree:
        return
    expected = rows if stored_lock.final_tree == lock.final_tree else _tree_rows(project, stored_lock.final_tree)
    if expected is None:
        return
    if stored is None:
        stored = _tree_rows(project, tree) or {}
    yield from _differences(declaration, expected, stored, where)
    for path in sorted(set(stored) - set(expected)):
        yield Finding(
            "MIR002", f"{declaration.path}/{path}", f"is not in the pinned release{where}", "git rm --cached it"
        )


def _stored_lock(project: Repository, declaration: Declaration, revision: str) -> Lock | None:
    name = project.prefix + str(declaration.lock_file.relative_to(declaration.root))
    blob = project.run("cat-file", "blob", f"{revision}{name}", check=False)
    if blob.status != 0:
        return None
    try:
        return parse_lock(blob.stdout, name)
    except ToolError:
        return None


def _tree_rows(project: Repository, tree: str) -> Mapping[str, Row] | None:
    lookup = project.run("cat-file", "-e", tree, check=False) if tree else None
    return list_tree(project, tree) if lookup and lookup.status == 0 else None


def _index_rows(project: Repository, declaration: Declaration) -> dict[str, Row]:
    rows, cut = {}, len(declaration.path) + 1
    for record in project.run("ls-files", "-s", "-z", "--", declaration.path).records:
        head, _, path = record.partition("\t")
        mode, oid, stage = head.split(" ")
        if stage == "0":
            rows[path[cut:]] = Row(mode, oid)
    return rows


def _ignored(project: Repository, declaration: Declaration, paths: Sequence[str]) -> Iterator[str]:
    if not paths:
        return
    stdin = os.fsencode("".join(f"{declaration.path}/{path}\0" for path in paths))
    listed = project.run("check-ignore", "-z", "--stdin", stdin=stdin, check=False)
    for record in listed.records:
        yield record[len(declaration.path) + 1 :]
