"""`upstream.lock`: which tree is mirrored, exactly, with everything an offline proof needs. Written by machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..errors import ToolError
from ..git.objects import FORMATS, Row, is_oid
from ..project import Project
from ..toml.table import Table, parse_table, read_text
from ..toml.writing import toml_inline, toml_text, toml_texts
from ..tool_name import TOOL
from .byte_text import bytes_line, read_bytes
from .path_text import decoded_path, encoded_path

SCHEMA = 4
_WITH_ORIGIN = 3
_WITH_DIGESTS = 2
_OLDEST = 1
_IDS = ("commit", "root_tree", "base_tree", "final_tree")
_DIGESTS = ("base_sha256", "final_sha256")
HEADER = f"# Written by `{TOOL} mirror sync`; do not edit.\n"


class Tag(NamedTuple):
    """The tag that was asked for: its name, `annotated` or `lightweight`, and the id it points to itself."""

    name: str
    kind: str
    oid: str


class PinnedPatch(NamedTuple):
    """A patch as it was applied: file name, SHA-256 of the file, paths it touches, id of the tree after it."""

    name: str
    sha256: str
    paths: tuple[bytes, ...]
    tree_after: str


class Signature(NamedTuple):
    """Whose signature was good: of which object, `ssh` or `openpgp`, the signer's name, the key's fingerprint."""

    object: str
    kind: str
    signer: str
    key: str


class BundleRecord(NamedTuple):
    """The bundles at the time: how many lines their record had, and the SHA-256 of these lines."""

    lines: int
    sha256: str


class Pin(NamedTuple):
    """The mirrored release, exactly.

    Attributes:
        object_format: `sha1` or `sha256`.
        url: where it came from, as declared.
        tag: None when a commit was asked for by its id.
        commit: id of the upstream commit.
        root_tree: the commit's tree.
        base_tree: the root tree without the excluded entries; of a subfolder, that folder's.
        final_tree: the base tree with the patches applied: the id the mirrored folder must have.
        excluded: entries left out, sorted by path.
        commit_object: body of the raw commit object.
        tag_object: body of the raw tag object; empty for a lightweight tag.
        patches: in the order they were applied.
        signature: of the release, when the project asks for signatures and there is one.
        base_sha256: id of the base tree in git's SHA-256 format, whatever the format of the others; it holds where
            two files of one SHA-1 are found. Empty in a lock of schema 1, which did not have it.
        final_sha256: id of the final tree, likewise.
        fetched_from: the place it was fetched from, without credentials; empty in a lock before schema 3.
        bundles: the record of the upstream's bundles; None for an upstream that is no folder of them.
        subfolder: the upstream folder that is mirrored alone; empty in a lock before schema 4.
    """

    object_format: str
    url: str
    tag: Tag | None
    commit: str
    root_tree: str
    base_tree: str
    final_tree: str
    excluded: tuple[Row, ...]
    commit_object: bytes
    tag_object: bytes
    patches: tuple[PinnedPatch, ...]
    signature: Signature | None = None
    base_sha256: str = ""
    final_sha256: str = ""
    fetched_from: str = ""
    bundles: BundleRecord | None = None
    subfolder: str = ""

    @property
    def name(self) -> str:
        """Short name of the pin: the tag, else the start of the commit's id."""
        return self.tag.name if self.tag else self.commit[:12]

    @property
    def schema(self) -> int:
        """The oldest schema of the lock that holds all of it."""
        if self.subfolder:
            return SCHEMA
        return _WITH_ORIGIN if self.fetched_from else _WITH_DIGESTS if self.final_sha256 else _OLDEST

    @property
    def reference(self) -> str:
        """Name that commands accept for the pin: the tag, else the commit's full id."""
        return self.tag.name if self.tag else self.commit

    def render(self) -> bytes:
        """The text of the lock: the same pin always gives the same bytes, and no date is among them."""
        return "".join(_lines(self)).encode()


def _lines(pin: Pin) -> Iterator[str]:
    tag = pin.tag or Tag("", "", "")
    yield HEADER
    yield f"schema = {pin.schema}\n"
    yield f"object_format = {toml_text(pin.object_format)}\n"
    yield f"url = {toml_text(pin.url)}\n"
    if pin.fetched_from:
        yield f"fetched_from = {toml_text(pin.fetched_from)}\n"
    if pin.subfolder:
        yield f"subfolder = {toml_text(pin.subfolder)}\n"
    if pin.bundles:
        yield f"bundles = {{ lines = {pin.bundles.lines}, sha256 = {toml_text(pin.bundles.sha256)} }}\n"
    yield f"tag = {toml_inline({'name': tag.name, 'kind': tag.kind, 'oid': tag.oid})}\n"
    for key in _IDS:
        yield f"{key} = {toml_text(getattr(pin, key))}\n"
    for key in _DIGESTS if pin.final_sha256 else ():
        yield f"{key} = {toml_text(getattr(pin, key))}\n"
    if pin.signature:
        yield f"signature = {toml_inline(pin.signature._asdict())}\n"
    yield bytes_line("commit_object", pin.commit_object)
    yield bytes_line("tag_object", pin.tag_object)
    for row in sorted(pin.excluded):
        yield f"\n[[excluded]]\nmode = {toml_text(f'{row.mode:06o}')}\noid = {toml_text(row.oid)}\n"
        yield f"path = {toml_text(encoded_path(row.path))}\n"
    for patch in pin.patches:
        yield f"\n[[patches]]\nname = {toml_text(patch.name)}\nsha256 = {toml_text(patch.sha256)}\n"
        yield f"paths = {toml_texts(tuple(encoded_path(path) for path in sorted(patch.paths)))}\n"
        yield f"tree_after = {toml_text(patch.tree_after)}\n"


def read_pin(project: Project) -> Pin | None:
    """Return the project's pin, or None when nothing was synchronized yet.

    Raises:
        ToolError: the lock is there and cannot be understood.
    """
    if not project.lock_path.exists():
        return None
    try:
        return parse_pin(read_text(project.lock_path, project.lock), project.lock)
    except ToolError as error:
        # Advice about a key of the file is of no use: a machine writes the file.
        lasting = any(words in error.advice for words in ("version of the tools", "settle the merge"))
        advice = error.advice if lasting else f"restore it from version control: git checkout HEAD -- {project.lock}"
        raise ToolError(error.text, advice) from error


def parse_pin(text: str, shown: str) -> Pin:
    """Parse the text of a lock; `shown` is how messages name it."""
    table = parse_table(text, shown)
    schema = table.integer("schema")
    if schema > SCHEMA:
        raise ToolError(f"{shown}: schema {schema} is newer than {SCHEMA}", "use a newer version of the tools")
    if schema < _OLDEST:
        advice = "use the version of the tools that wrote it"
        raise ToolError(f"{shown}: schema {schema} is older than {_OLDEST}", advice)
    object_format = table.text("object_format")
    if object_format not in FORMATS:
        raise ToolError(f"{shown}: object format {object_format!r} is not known")
    try:
        pin = Pin(
            object_format=object_format,
            url=table.text("url"),
            tag=_read_tag(table.table("tag")),
            commit=table.text("commit"),
            root_tree=table.text("root_tree"),
            base_tree=table.text("base_tree"),
            final_tree=table.text("final_tree"),
            excluded=tuple(_read_row(row) for row in table.tables("excluded")),
            commit_object=read_bytes(table, "commit_object"),
            tag_object=read_bytes(table, "tag_object"),
            patches=tuple(_read_patch(row) for row in table.tables("patches")),
            signature=_read_signature(table.table("signature")),
            base_sha256=table.text("base_sha256") if schema > _OLDEST else "",
            final_sha256=table.text("final_sha256") if schema > _OLDEST else "",
            fetched_from=table.text("fetched_from") if schema > _WITH_DIGESTS else "",
            bundles=_read_bundles(table.table("bundles")) if schema > _WITH_DIGESTS else None,
            subfolder=table.text("subfolder") if schema > _WITH_ORIGIN else "",
        )
    except ValueError as error:
        raise ToolError(f"{shown}: {error}") from error
    table.finish()
    for key in _IDS:
        if not is_oid(getattr(pin, key)):
            raise ToolError(f"{shown}: `{key}` must be a full object id, not {getattr(pin, key)!r}")
    for key in _DIGESTS if schema > _OLDEST else ():
        if len(getattr(pin, key)) != FORMATS["sha256"] or not is_oid(getattr(pin, key)):
            raise ToolError(f"{shown}: `{key}` must be a SHA-256 tree id, not {getattr(pin, key)!r}")
    return pin


def _read_tag(table: Table | None) -> Tag | None:
    if table is None:
        return None
    tag = Tag(table.text("name"), table.text("kind"), table.text("oid"))
    table.finish()
    return tag if tag.name else None


def _read_signature(table: Table | None) -> Signature | None:
    if table is None:
        return None
    signature = Signature(table.text("object"), table.text("kind"), table.text("signer"), table.text("key"))
    table.finish()
    return signature


def _read_bundles(table: Table | None) -> BundleRecord | None:
    if table is None:
        return None
    record = BundleRecord(table.integer("lines"), table.text("sha256"))
    table.finish()
    if record.lines < 1:  # the digest of nothing fits every folder
        raise ValueError("`bundles` binds the lock to no bundle")
    return record


def _read_row(table: Table) -> Row:
    row = Row(decoded_path(table.text("path")), int(table.text("mode"), 8), table.text("oid"))
    table.finish()
    return row


def _read_patch(table: Table) -> PinnedPatch:
    paths = tuple(decoded_path(path) for path in table.texts("paths"))
    patch = PinnedPatch(table.text("name"), table.text("sha256"), paths, table.text("tree_after"))
    table.finish()
    return patch
