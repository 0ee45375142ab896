"""`upstream.toml`: the upstream, its place, the mirrored folder. Written by people, read strictly."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..errors import ToolError
from ..project import Project
from ..toml.table import Table, parse_table, read_text
from .policy import Accepted, Limits, Signatures, leads_to, matches, read_accepted, read_limits, read_signatures

if TYPE_CHECKING:
    from .boundary import BoundaryDeclaration
    from .contract import ContractDeclaration
    from .entry import EntryDeclaration

SCHEMA = 1
T = TypeVar("T")


class Declaration(NamedTuple):
    """The content of `upstream.toml`.

    Attributes:
        url: a folder of bundles (relative to the project), or anything git can fetch from.
        track: pattern of release tags with one `*` for the version, such as `v*`.
        path: the mirrored folder, relative to the project.
        branch: the upstream branch releases are made from.
        exclude: patterns of upstream paths that are not mirrored; a folder's name excludes all below it.
        include: patterns of the only upstream paths that are mirrored; empty mirrors all that is not excluded.
        others: paths of more declarations, each of another mirror with a lock of its own; the gates judge them all.
        subfolder: the only upstream folder that is mirrored, without its own path; empty mirrors the whole tree.
        patch_folder: folder of the patches, relative to the project.
        patches: their file names, in the order they are applied.
        accepted: paths that are mirrored although they are refused otherwise.
        limits: sizes above which a tree is refused before a byte is written.
        signatures: requirements on the releases' signatures.
        entry: how the generated entry is made; None when the project has none.
        boundary: the importers of the mirrored package; None when the project does not say.
        contract: the tables of endpoints in use; None when the project does not say.
    """

    url: str
    track: str
    path: str
    branch: str = "main"
    exclude: tuple[str, ...] = ()
    patch_folder: str = "patches"
    patches: tuple[str, ...] = ()
    accepted: Accepted = Accepted()
    limits: Limits = Limits()
    signatures: Signatures = Signatures()
    entry: EntryDeclaration | None = None
    boundary: BoundaryDeclaration | None = None
    contract: ContractDeclaration | None = None
    include: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    subfolder: str = ""

    def excludes(self, path: bytes, *, folder: bool = False) -> bool:
        """Return whether a path below the mirrored folder is left out; a folder above an included one stays."""
        if self.include and not matches(self.include, path) and not (folder and leads_to(self.include, path)):
            return True
        return bool(self.exclude) and matches(self.exclude, path)

    def tree_of(self, commit: str) -> str:
        """The mirrored part of a commit, as git names it."""
        return f"{commit}:{self.subfolder}" if self.subfolder else commit

    def unlisted(self, project: Project) -> tuple[str, ...]:
        """Names of the patch files in the patch folder that are not in the list, sorted."""
        folder = project.root / self.patch_folder
        return tuple(sorted(path.name for path in folder.glob("*.patch") if path.name not in self.patches))

    def transaction(self, project: Project) -> Path:
        """The folder beside the mirror that commands work in, while one is at work or left something unfinished."""
        return (project.root / self.path).with_name(f".{self.path.rpartition('/')[2]}.sync")

    def refresh_journal(self, project: Project) -> Path:
        """The journal of a synchronization that makes patches anew without a person, while it does so."""
        return (project.root / self.path).with_name(f".{self.path.rpartition('/')[2]}.edit") / "refreshing.json"

    def tag_of(self, version: str) -> str:
        """The tag name of a version."""
        return self.track.replace("*", version)

    def version_of(self, tag: str) -> str | None:
        """The version a tag stands for, or None when it is not a tag of this kind."""
        before, _, after = self.track.partition("*")
        if tag.startswith(before) and tag.endswith(after) and len(tag) > len(before) + len(after):
            return tag[len(before) : len(tag) - len(after)]
        return None


def read_declaration(project: Project) -> Declaration:
    """Read and check the project's `upstream.toml`.

    Raises:
        ToolError: it cannot be read, has an unknown key, or contradicts itself.
    """
    return parse_declaration(project, read_text(project.declaration_path, project.declaration), project.declaration)


def parse_declaration(project: Project, text: str, shown: str) -> Declaration:
    """The declaration of another text than that of the file at hand; `shown` names it, errors as `read_declaration`."""
    return _parsed(project, text, shown)


@lru_cache(maxsize=8)
def _parsed(project: Project, text: str, shown: str) -> Declaration:
    # Every gate reads the file, and a change of it between two gates is seen.
    table = parse_table(text, shown)
    table.refuse_zeros()
    _check_schema(table, project.declaration)
    folder, order = _read_patches(table.table("patches"))
    declaration = Declaration(
        url=table.text("url"),
        track=table.text("track"),
        path=table.text("path"),
        branch=table.text("branch", "main"),
        exclude=table.texts("exclude"),
        patch_folder=folder,
        patches=order,
        accepted=read_accepted(table.table("accepted")),
        limits=read_limits(table.table("limits")),
        signatures=read_signatures(table.table("signatures"), project.declaration),
        entry=_of_a_gate(project, table, "entry", _read_entry),
        boundary=_of_a_gate(project, table, "boundary", _read_boundary),
        contract=_of_a_gate(project, table, "contract", _read_contract),
        include=table.texts("include"),
        others=table.texts("others"),
        subfolder=table.text("subfolder", ""),
    )
    table.finish()
    _check(declaration, project)
    return declaration


def _of_a_gate(project: Project, table: Table, name: str, read: Callable[[Table | None], T | None]) -> T | None:
    """Read a table that one gate alone reads; where the gates are run, an error in it is the result of that gate."""
    try:
        return read(table.table(name))
    except ToolError as error:
        if project.broken is None:
            raise
        project.broken[name] = error
        return None


def _check_schema(table: Table, shown: str) -> None:
    schema = table.integer("schema")
    if schema != SCHEMA:
        advice = "use a newer version of the tools" if schema > SCHEMA else f"bring the file up to schema {SCHEMA}"
        raise ToolError(f"{shown}: schema {schema} is {'newer' if schema > SCHEMA else 'older'} than {SCHEMA}", advice)


def _read_patches(table: Table | None) -> tuple[str, tuple[str, ...]]:
    if table is None:
        return "patches", ()
    folder, order = table.text("folder", "patches"), table.texts("order")
    table.finish()
    return folder, order


def _read_entry(table: Table | None) -> EntryDeclaration | None:
    if table is None:  # a fork without an entry, a boundary or a contract need not load what reads them
        return None
    from .entry import read_entry

    return read_entry(table)


def _read_boundary(table: Table | None) -> BoundaryDeclaration | None:
    if table is None:
        return None
    from .boundary import read_boundary

    return read_boundary(table)


def _read_contract(table: Table | None) -> ContractDeclaration | None:
    if table is None:
        return None
    from .contract import read_contract

    return read_contract(table)


def _refuse_gits_own(declaration: Declaration, shown: str) -> None:
    """Refuse any path below `.git`, as any file system may read that name: a file there could be run."""
    generated = (declaration.entry.target,) if declaration.entry else ()
    for path in (declaration.path, declaration.patch_folder, *generated):
        if path.isascii() and "git" not in path.casefold():
            continue
        from ..git.reserved_names import is_git_folder  # here, so that plain paths cost every command nothing

        if any(is_git_folder(part.encode("utf-8", "surrogateescape")) for part in path.split("/")):
            raise ToolError(f"{shown}: {path!r} belongs to git: files there could be run")


def _check(declaration: Declaration, project: Project) -> None:
    _check_values(declaration, project)
    _check_paths(declaration, project)
    _check_others(declaration, project.declaration)
    for name in declaration.patches:
        if "/" in name or not name.endswith(".patch"):
            raise ToolError(f"{project.declaration}: {name!r} must be the name of a .patch file")
        if declaration.patches.count(name) > 1:
            raise ToolError(f"{project.declaration}: the patch {name!r} is listed twice")


def _check_values(declaration: Declaration, project: Project) -> None:
    if not declaration.url:
        raise ToolError(f"{project.declaration}: `url` is empty", "name a folder, or anything git can fetch from")
    for name, value in declaration.limits._asdict().items():
        if value < 1:
            raise ToolError(f"{project.declaration}: `{name}` is {value}", "a limit is at least 1")
    if declaration.track.count("*") != 1:
        raise ToolError(f'{project.declaration}: `track` must have exactly one `*`, as in "v*"')


def _check_others(declaration: Declaration, shown: str) -> None:
    for other in declaration.others:
        if not other.endswith(".toml") or other.startswith("/") or {"", ".", ".."} & set(other.split("/")):
            raise ToolError(f"{shown}: {other!r} in `others` must be the path of a .toml file inside the project")
        if other == shown or declaration.others.count(other) > 1:
            raise ToolError(f"{shown}: `others` names {other!r} {'itself' if other == shown else 'twice'}")


def _check_paths(declaration: Declaration, project: Project) -> None:
    for path in (declaration.path, declaration.patch_folder):
        if not path or path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
            raise ToolError(f"{project.declaration}: {path!r} must be a plain path inside the project")
    if declaration.subfolder and {"", ".", ".."} & set(declaration.subfolder.split("/")):
        advice = "write it as in src/parser, without a slash at its ends"
        raise ToolError(f"{project.declaration}: `subfolder` {declaration.subfolder!r} is no plain path", advice)
    _refuse_gits_own(declaration, project.declaration)
    # Tree id equality only holds while the folder has nothing but the mirrored tree in it.
    keys = (declaration.signatures.allowed_signers, declaration.signatures.keys)
    for ours in (project.declaration, project.lock, declaration.patch_folder + "/", *keys):
        if ours.startswith(declaration.path + "/"):
            raise ToolError(f"{project.declaration}: {ours} must lie outside the mirrored folder {declaration.path}")
