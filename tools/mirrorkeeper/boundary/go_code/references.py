"""Every way a Go file can refer to guarded import paths, found on its syntax tree. Pure.

Theory of operation. A Go program reaches a package by import specs alone, and these stand before everything else in
a file; their names do not matter. So every file is read, whatever its build tags, also tests and generated ones:
the build takes some of them, and never more. Beside the specs, directives reach into a package without an import
(`//go:linkname`), or into its files (`//go:embed`, the comment before `import "C"`).

Only a build sees the rest: flags and settings in the environment (`-overlay`, `-modfile`, `GOFLAGS`, `GOWORK`), files
that a generator has not written yet, assembly, and names that an importer hands on under a name of its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tree_sitter import Node

from ...declaration.used_names import Symbol
from ...golang.nodes import below, line_of, literal, parse, text_of
from ...modules import Module, UnreadError
from ..references import Reference, ReferenceKind

_LINKNAME = re.compile(r"//go:linkname\s+\S+\s+(\S+)")
_EMBED = re.compile(r"//go:embed\s+(.+)")
_GENERATE = re.compile(r"//go:generate\s+(.+)")
_PATTERN = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|\S+')
_INCLUDED = re.compile(r'#\s*include\s+["<]([^">]+)[">]|(?<!\w)-[IL]\s*(\S+)|(\S+\.(?:a|so|o|syso))(?!\w)')
_JOINING = {"binary_expression", "parenthesized_expression"}
_QUESTIONS = {f"strings.{name}" for name in ("Contains", "HasPrefix", "HasSuffix", "EqualFold")}
_BESIDE = {"package_clause", "import_declaration", "comment"}


@dataclass(frozen=True)
class Guarded:
    """The mirrored code as Go source can name it.

    Attributes:
        prefixes: import paths; each guards all below it.
        mirror: the mirrored folder, relative to the project.
        modules: folders of the mirror, relative to the project, that are modules of their own.
    """

    prefixes: tuple[str, ...]
    mirror: str
    modules: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Return whether an import path is guarded."""
        return any(path == one or path.startswith(one + "/") for one in self.prefixes)

    def covers(self, place: str) -> bool:
        """Return whether a path of the project lies in the mirrored folder."""
        return place == self.mirror or place.startswith(self.mirror + "/")


def go_references(module: Module, guarded: Guarded) -> Iterator[Reference]:
    """Yield every reference of a file, in order of lines.

    Raises:
        UnreadError: its imports cannot be read.
    """
    root = parse(module.content)
    _refuse_unread(module, root)
    folder = posixpath.dirname(module.path)
    found = {*_imports(root, folder, guarded), *_directives(module, folder, guarded), *_texts(root, guarded)}
    yield from sorted(found, key=lambda one: (one.line, one.target, one.kind.value))


def names_used(module: Module, guarded: Guarded) -> Iterator[tuple[Symbol, int]]:
    """Yield every exported name of guarded packages that a file uses by the name of an import, with its line."""
    root = parse(module.content)
    known = {}
    for spec in _specs(root):
        path, name = _path(spec), text_of(spec.child_by_field_name("name"))
        if guarded.holds(path):
            known[name or _last_word(path)] = path
    for kind, first, second in (("selector_expression", "operand", "field"), ("qualified_type", "package", "name")):
        for node in below(root, kind):
            path = known.get(text_of(node.child_by_field_name(first)), "")
            if path:
                yield Symbol(path, text_of(node.child_by_field_name(second))), line_of(node)


def _refuse_unread(module: Module, root: Node) -> None:
    """Refuse a file whose imports may not all be in the tree: something before or among them is not understood."""
    for child in root.children:
        if child.type == "ERROR" or (child.has_error and child.type in _BESIDE):
            line = line_of(child)
            raise UnreadError(module.path, "is not Go that can be read", "correct it, then run the gates again", line)
        if child.is_named and child.type not in _BESIDE:
            return


def _specs(root: Node) -> Iterator[Node]:
    for child in root.named_children:
        if child.type == "import_declaration":
            yield from below(child, "import_spec")


def _path(spec: Node) -> str:
    path = spec.child_by_field_name("path")
    return (literal(path) or "") if path is not None else ""


def _last_word(path: str) -> str:
    words = path.split("/")
    return words[-2] if len(words) > 1 and re.fullmatch(r"v\d+", words[-1]) else words[-1]


def _imports(root: Node, folder: str, guarded: Guarded) -> Iterator[Reference]:
    for spec in _specs(root):
        path = _path(spec)
        inside = path.startswith(("./", "../")) and guarded.covers(posixpath.normpath(posixpath.join(folder, path)))
        if guarded.holds(path) or inside:
            yield Reference(line_of(spec), path, ReferenceKind.IMPORT)
        elif path == "C":
            yield from _included(spec, folder, guarded)


def _included(spec: Node, folder: str, guarded: Guarded) -> Iterator[Reference]:
    """Find files of the mirror in the comment before `import "C"`."""
    declared = spec if spec.parent is None or spec.parent.type != "import_declaration" else spec.parent
    comment = declared.prev_named_sibling
    while comment is not None and comment.type == "comment":
        for at, line in enumerate(text_of(comment).splitlines()):
            for groups in _INCLUDED.findall(line):
                place = next(filter(None, groups)).replace("${SRCDIR}", ".").strip("'\"")
                if guarded.covers(posixpath.normpath(posixpath.join(folder, place))):
                    yield Reference(line_of(comment) + at, place, ReferenceKind.DYNAMIC)
        comment = comment.prev_named_sibling


def _directives(module: Module, folder: str, guarded: Guarded) -> Iterator[Reference]:
    for number, whole in enumerate(module.content.decode("utf-8", "replace").splitlines(), 1):
        line = whole.lstrip()  # in a group of variables a directive is indented
        if not line.startswith("//go:"):
            continue
        generated = _GENERATE.match(line)
        for word in _PATTERN.findall(generated[1]) if generated else ():
            if names_code(word.strip('"`'), folder, guarded):
                yield Reference(number, word, ReferenceKind.DYNAMIC)
        linked = _LINKNAME.match(line)
        if linked and any(linked[1].startswith((f"{one}.", f"{one}/")) for one in guarded.prefixes):
            yield Reference(number, linked[1], ReferenceKind.DYNAMIC)
        embedded = _EMBED.match(line)
        for pattern in _PATTERN.findall(embedded[1]) if embedded else ():
            plain = (pattern[1:-1] if pattern[0] in '"`' else pattern).removeprefix("all:")
            if _embeds(posixpath.normpath(posixpath.join(folder, plain)).split("/"), guarded):
                yield Reference(number, plain, ReferenceKind.DYNAMIC)


def _embeds(pattern: Sequence[str], guarded: Guarded) -> bool:
    """Return whether a pattern takes files of the mirror; a folder above a module is taken without the module."""
    parts = guarded.mirror.split("/")
    if not all(fnmatchcase(part, one) for part, one in zip(parts, pattern, strict=False)):
        return pattern == ["."] and guarded.mirror not in guarded.modules
    return len(pattern) >= len(parts) or guarded.mirror not in guarded.modules


def _texts(root: Node, guarded: Guarded) -> Iterator[Reference]:
    """Find import paths and places of the mirror in texts outside of imports, as those of commands and plugins."""
    judged: set[int] = set()
    asking = _asks_texts(root)
    for kind in ("binary_expression", "interpreted_string_literal", "raw_string_literal"):
        for node in below(root, kind):
            text = "" if node.id in judged else _joined_text(node, judged)
            taken = node.parent is None or node.parent.type == "import_spec" or (asking and _is_asked_for(node.parent))
            if names_code(text, "", guarded) and not taken:
                yield Reference(line_of(node), text, ReferenceKind.TEXT)


def _asks_texts(root: Node) -> bool:
    """Return whether `strings` is the library's package in a file, and nothing else."""
    paths = [_path(spec) for spec in _specs(root) if text_of(spec.child_by_field_name("name")) in ("", "strings")]
    if "strings" not in paths or any(one != "strings" and _last_word(one) == "strings" for one in paths):
        return False
    if any(text_of(spec.child_by_field_name("name")) in (".", "strings") for spec in _specs(root)):
        return False
    uses = [one for one in below(root, "identifier") if text_of(one) == "strings"]
    return all(one.parent is not None and one.parent.type == "selector_expression" for one in uses)


def _is_asked_for(arguments: Node) -> bool:
    """Return whether a list of arguments is that of a question about texts, which answers yes or no."""
    call = arguments.parent
    asked = text_of(call.child_by_field_name("function")) if call is not None else ""
    return arguments.type == "argument_list" and asked in _QUESTIONS


def _joined_text(node: Node, judged: set[int]) -> str:
    """Return the text of a literal, or that of literals with `+` between them up to anything else.

    The sums that it begins with are added to `judged`: their text is its beginning.
    """
    later: list[Node] = []
    first = node
    while first.type in _JOINING and first.named_children:
        if first.type == "binary_expression":
            if text_of(first.child_by_field_name("operator")) != "+":
                break
            judged.add(first.id)
            later.append(first.named_children[-1])
        first = first.named_children[0]
    texts = []
    for one in (first, *later[::-1]):
        text = _joined_text(one, set()) if one.type in _JOINING and one is not first else literal(one)
        if not text:
            break
        texts.append(text)
    return "".join(texts)


def names_code(text: str, folder: str, guarded: Guarded) -> bool:
    """Return whether a text is a guarded import path, with a version or not, or a place in the mirror."""
    if "/" not in text:
        return False
    place = posixpath.normpath(posixpath.join(folder, text))
    return guarded.holds(text.partition("@")[0].partition(".go:")[0]) or (
        text.startswith(("./", "../")) and guarded.covers(place.lstrip("./"))
    )
