"""`upstream.toml`: the upstream, the mirrored folder, the patches, tables of the gates. Read strictly.

The dataclasses are the format: a field without a default is a required key, and a key that is no field is refused.
"""

import difflib
import json
import os
import re
import tomllib
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from .errors import DeclarationError, NotDeclaredError

FILE = "mirror/upstream.toml"
SCHEMA = 1
_NEEDED = '`schema = 1`, `url`, `track` (as "v*") and `path`'
T = TypeVar("T")


@dataclass(frozen=True)
class Patches:
    """The folder of the patches, and their file names in the order they are applied."""

    folder: str = "patches"
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """Sizes above which an upstream tree is refused: bytes of one file, bytes of all, number of files."""

    file_bytes: int = 50_000_000
    total_bytes: int = 2_000_000_000
    files: int = 200_000


@dataclass(frozen=True)
class Fetch:
    """Severities of git's checks of fetched objects (`fetch.fsck.<id>`), for old commits that are malformed."""

    fsck: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Anchor:
    """A statement that the entry point of the upstream has exactly once.

    Attributes:
        name: its name in messages.
        statement: its Python text; only the syntax tree counts.
        insert_after: lines put after the statement, in its indentation.
        replacement: lines put in its place.
        function: the function it stands in, dotted where functions or classes are nested.
        under: the blocks it stands under, from the outside in.
    """

    name: str
    statement: str
    insert_after: str = ""
    replacement: str = ""
    function: str = ""
    under: tuple[str, ...] = ()


@dataclass(frozen=True)
class EntryTable:
    """The generated entry.

    Attributes:
        source: the entry point, relative to the mirrored folder.
        target: the generated file, relative to the project.
        package: package of the source, which its relative imports are resolved against.
        imports: import statements put after the source's own.
        header: more comment lines of the generated file.
        anchors: in the order messages name them.
        called: functions of the source that are called from outside, such as by an installed script.
    """

    source: str
    target: str
    package: str
    anchors: tuple[Anchor, ...]
    called: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    header: tuple[str, ...] = ()


@dataclass(frozen=True)
class Boundary:
    """Importers of the mirrored package.

    Attributes:
        package: the mirrored package.
        importers: folders and files of the project that may import it.
        symbols: list of the names in use, relative to the project.
        source: folder within the mirrored one that the package lies in.
        generated: importers whose names are not listed, because a generator wrote them.
        contracts: import-linter's configuration, relative to the project; empty when there is none.
        exempt: folders and files that are not judged.
    """

    package: str
    importers: tuple[str, ...]
    symbols: str
    source: str = ""
    generated: tuple[str, ...] = ()
    contracts: str = ""
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contract:
    """Endpoints and keys that the code relies on.

    Attributes:
        expectations: the file of tables, relative to the project.
        offered: module that prints the offered endpoints and keys as JSON.
        mounted: module that prints the mounted own paths as JSON; empty when nothing is mounted.
        source: folder within the mirrored one that the package lies in.
        paths: folders whose code takes every path from the tables.
        endpoints: how many endpoints the contract has.
        own: how many own paths there are.
        keys: how many configuration keys the contract has.
    """

    expectations: str
    offered: str
    paths: tuple[str, ...]
    endpoints: int
    own: int
    keys: int
    mounted: str = ""
    source: str = ""


@dataclass(frozen=True)
class _Document:
    schema: int
    url: str
    track: str
    path: str
    branch: str = "main"
    exclude: tuple[str, ...] = ()
    patches: Patches = Patches()
    limits: Limits = Limits()
    fetch: Fetch = Fetch()
    entry: EntryTable | None = None
    boundary: Boundary | None = None
    contract: Contract | None = None


@dataclass(frozen=True)
class Declaration(_Document):
    """The content of `upstream.toml`, and the project it lies in.

    Attributes:
        root: the project's folder, links resolved.
        schema: version of the format.
        url: a folder of bundles relative to the project, or anything git can fetch from.
        track: pattern of release tags with one `*` for the version, such as `v*`.
        path: the mirrored folder, relative to the project.
        branch: the upstream branch that releases are made from.
        exclude: patterns of upstream paths that are not mirrored; a folder's name excludes all below it.
    """

    root: Path = Path()

    @property
    def file(self) -> Path:
        """Absolute path of `upstream.toml`."""
        return self.root / FILE

    @property
    def lock_file(self) -> Path:
        """Absolute path of `upstream.lock`."""
        return self.file.with_suffix(".lock")

    @property
    def mirror(self) -> Path:
        """Absolute path of the mirrored folder."""
        return self.root / self.path

    @property
    def patch_folder(self) -> Path:
        """Absolute path of the folder of patches."""
        return self.root / self.patches.folder

    def patch_file(self, name: str) -> Path:
        """Absolute path of a patch."""
        return self.patch_folder / name

    def excludes(self, path: str) -> bool:
        """Return whether a path of the upstream is not mirrored."""
        parts = path.split("/")
        ancestors = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
        return any(fnmatchcase(above, pattern.rstrip("/")) for pattern in self.exclude for above in ancestors)

    def tag_of(self, version: str) -> str:
        """Return the tag of a version."""
        return self.track.replace("*", version)

    def version_of(self, tag: str) -> str | None:
        """Return the version a tag stands for, or None when it is not a release's tag."""
        before, _, after = self.track.partition("*")
        if tag.startswith(before) and tag.endswith(after) and len(tag) > len(before) + len(after):
            return tag[len(before) : len(tag) - len(after)]
        return None

    def required_entry(self) -> EntryTable:
        """Return `[entry]`; NotDeclaredError without one."""
        return _required(self.entry, "entry")

    def required_boundary(self) -> Boundary:
        """Return `[boundary]`; NotDeclaredError without one."""
        return _required(self.boundary, "boundary")

    def required_contract(self) -> Contract:
        """Return `[contract]`; NotDeclaredError without one."""
        return _required(self.contract, "contract")


def read_declaration(folder: Path) -> Declaration:
    """Read and check the `upstream.toml` of the project in `folder`.

    Raises DeclarationError: it cannot be read, has an unknown key, or contradicts itself.
    """
    root = Path(os.path.realpath(folder))
    try:
        text = (root / FILE).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        hint = f"name the project with -C DIR, or declare a mirror there: {_NEEDED}"
        raise DeclarationError(f"{root / FILE} is not there", hint) from error
    except (OSError, UnicodeDecodeError) as error:
        raise DeclarationError(f"{root / FILE} cannot be read: {error}", "correct that file") from error
    return parse_declaration(text, root)


def parse_declaration(text: str, root: Path) -> Declaration:
    """Return the declaration of a text; errors as `read_declaration`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DeclarationError(f"{FILE} is no TOML: {error}", "correct that line") from error
    schema = table.get("schema")
    if schema is None:
        raise DeclarationError(f"{FILE}: `schema` is missing", f"it needs {_NEEDED}")
    if schema != SCHEMA:
        raise DeclarationError(f"{FILE}: schema {schema} is not {SCHEMA}", "use the tools it was written for")
    document = read_table(_Document, table, FILE)
    declaration = Declaration(root=root, **{part.name: getattr(document, part.name) for part in fields(_Document)})
    _check(declaration)
    return declaration


def with_order(text: str, names: Sequence[str], root: Path) -> str:
    """Return the text of a declaration with another list of patches; everything else stays as it is.

    Raises DeclarationError: the list is written in a way that cannot be edited.
    """
    rows = "".join(f"\n    {json.dumps(name, ensure_ascii=False)}," for name in names)
    written = f"order = [{rows}\n]" if len(names) > 1 else f"order = {json.dumps(list(names), ensure_ascii=False)}"
    section = re.search(r"^\[patches\][^\n]*\n", text, re.MULTILINE)
    if section is None:
        changed = f"{text.rstrip()}\n\n[patches]\n{written}\n"
    else:
        head, rest = text[: section.end()], text[section.end() :]
        pattern = re.compile(r"^order\s*=\s*\[[^\]]*\]", re.MULTILINE)
        body = re.split(r"^(?=\[)", rest, maxsplit=1, flags=re.MULTILINE)
        edited = (
            pattern.sub(lambda _: written, body[0], count=1) if pattern.search(body[0]) else f"{written}\n{body[0]}"
        )
        changed = head + edited + "".join(body[1:])
    declaration = parse_declaration(changed, root)
    if declaration.patches.order != tuple(names):
        raise DeclarationError(f"{FILE}: `order` cannot be edited", f"write it by hand: {', '.join(names)}")
    return changed


def read_table(kind: type[T], table: Mapping[str, Any], place: str) -> T:
    """Build a dataclass from a table of TOML, every key named and typed by its fields; messages name the `place`.

    Raises DeclarationError: a key is missing, unknown or of the wrong type.
    """
    hints = get_type_hints(kind)
    parts = {part.name: part for part in fields(kind)}  # type: ignore[arg-type] # T is a dataclass
    for key in table:
        if key not in parts:
            near = difflib.get_close_matches(key, parts, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known keys: {', '.join(parts)}"
            raise DeclarationError(f"{place}: unknown key `{key}`", hint)
    values = {}
    for name, part in parts.items():
        if name in table:
            values[name] = _value(hints[name], table[name], f"{place}: `{name}`")
        elif part.default is MISSING and part.default_factory is MISSING:
            raise DeclarationError(f"{place}: `{name}` is missing", "add it")
    return kind(**values)


def _value(hint: Any, value: Any, place: str) -> Any:
    if isinstance(hint, types.UnionType):
        hint = next(option for option in get_args(hint) if option is not types.NoneType)
    if is_dataclass(hint) and isinstance(value, dict):
        return read_table(hint, value, place)  # type: ignore[arg-type] # is_dataclass says no more
    if get_origin(hint) is tuple and isinstance(value, list):
        return tuple(_value(get_args(hint)[0], item, place) for item in value)
    if get_origin(hint) is Mapping and isinstance(value, dict):
        return {key: _value(get_args(hint)[1], item, f"{place}.{key}") for key, item in value.items()}
    plain = hint if hint in (str, int, bool) else None
    if plain is None or type(value) is not plain:
        expected = {str: "a text", int: "a number", bool: "true or false"}.get(plain or object, "a table or a list")
        raise DeclarationError(f"{place} must be {expected}, not {value!r}")
    if "\0" in str(value):
        raise DeclarationError(f"{place} holds a NUL")
    return value


def _required(table: T | None, name: str) -> T:
    if table is None:
        raise NotDeclaredError(f"{FILE} has no [{name}]", f"add the table [{name}]")
    return table


def _check(declaration: Declaration) -> None:
    if not declaration.url:
        raise DeclarationError(f"{FILE}: `url` is empty", "name a folder of bundles, or anything git can fetch from")
    if declaration.track.count("*") != 1:
        raise DeclarationError(f'{FILE}: `track` must have exactly one `*`, as in "v*"')
    for limit in fields(declaration.limits):
        if getattr(declaration.limits, limit.name) < 1:
            raise DeclarationError(f"{FILE}: [limits] `{limit.name}` must be at least 1")
    for identifier, severity in declaration.fetch.fsck.items():
        if not identifier.isalpha() or severity not in ("ignore", "warn", "error"):
            raise DeclarationError(f"{FILE}: [fetch] fsck.{identifier} must be ignore, warn or error")
    _check_paths(declaration)
    for name in declaration.patches.order:
        if "/" in name or not name.endswith(".patch"):
            raise DeclarationError(f"{FILE}: {name!r} must be the name of a .patch file")
        if declaration.patches.order.count(name) > 1:
            raise DeclarationError(f"{FILE}: the patch {name!r} is listed twice", "list it once")


def _check_paths(declaration: Declaration) -> None:
    target: Sequence[str] = (declaration.entry.target, declaration.entry.source) if declaration.entry else ()
    for path in (declaration.path, declaration.patches.folder, *target):
        parts = path.split("/")
        if {"", ".", ".."} & set(parts) or ".git" in [part.casefold() for part in parts]:
            raise DeclarationError(f"{FILE}: {path!r} must be a plain path inside the project")
    for outside in (FILE, declaration.patches.folder + "/", *target[:1]):
        if outside.startswith(declaration.path + "/"):
            raise DeclarationError(f"{FILE}: {outside} must lie outside the mirrored folder {declaration.path}")
