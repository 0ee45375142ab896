"""The generated entry: the mirrored entry point with lines of the project's own, and its comparison with the file.

Anchors are found on the syntax tree, so that layout and comments do not count. Each must be exactly one statement, in
the declared function and under the declared blocks, and be reached when the module runs: an entry point whose guard,
call or decorator is gone would be generated without effect.
"""

import ast
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .declaration import Anchor, Declaration, EntryTable
from .errors import ToolError
from .findings import Finding, Report
from .lock import read_lock, replace_file
from .tree import blob_id

COMMAND = "python -m tools entry"
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Edit = tuple[int, int, list[str]]
_RELATIVE = re.compile(r"from\s+\.[.\s]*[\w.]*\s*import\b")
_ENDING = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit"})
_LIBRARIES = (".so", ".pyd")
_MOST_LINES = 60


@dataclass(frozen=True)
class Place:
    """Surroundings of a statement.

    Attributes:
        scopes: functions and classes around it, from the outside in.
        under: the blocks it stands under, from the outside in.
        unreached: the reason why it never runs; empty when it may.
    """

    scopes: tuple[Scope, ...] = ()
    under: tuple[str, ...] = ()
    unreached: str = ""

    @property
    def function(self) -> str:
        """Dotted name of the function; empty at the top of the module."""
        return ".".join(scope.name for scope in self.scopes)


def write_entry(declaration: Declaration) -> Report:
    """Generate the entry; nothing is written with a finding, or when the file is up to date."""
    entry = declaration.required_entry()
    text, findings = _generate(declaration, entry)
    summary = f"{entry.target} not written"
    if not findings:
        target = declaration.root / entry.target
        summary = f"{entry.target} is up to date"
        if not target.exists() or target.read_bytes() != text.encode():
            replace_file(target, text.encode())
            summary = f"{entry.target} written"
    return Report.of("entry", findings, summary)


def check_entry(declaration: Declaration) -> Report:
    """Compare the file with a fresh text, byte by byte."""
    entry = declaration.required_entry()
    text, findings = _generate(declaration, entry)
    target = declaration.root / entry.target
    if not findings and not target.exists():
        findings = [Finding("GEN001", entry.target, "is not there", COMMAND)]
    elif not findings and (current := target.read_bytes()) != text.encode():
        old = current.decode("utf-8", "replace").split("\n")
        lines = list(difflib.unified_diff(old, text.split("\n"), "as it is", "as generated", lineterm=""))
        details = tuple(line.replace("\r", "\\r") for line in lines[:_MOST_LINES])
        findings = [Finding("GEN001", entry.target, "differs from the generated text", COMMAND, 0, details)]
    return Report.of("entry", findings, f"{entry.target} compared with its source")


def _generate(declaration: Declaration, entry: EntryTable) -> tuple[str, list[Finding]]:
    """Return the text, or the findings that prevent it."""
    findings = list(_target_findings(declaration, entry))
    path = f"{declaration.path}/{entry.source}"
    try:
        content = (declaration.root / path).read_bytes()
        source = content.decode("utf-8").replace("\r\n", "\n")
        tree = ast.parse(source)
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error.strerror}", "python -m tools mirror verify") from error
    except (UnicodeDecodeError, SyntaxError, RecursionError) as error:
        raise ToolError(f"{path} is no valid Python: {error}", "mirror a release that works") from error
    places = dict(_places(tree.body, Place()))
    nodes: dict[str, ast.stmt] = {}
    for anchor in entry.anchors:
        matches = _matches(anchor, places)
        if len(matches) == 1:
            nodes[anchor.name] = matches[0]
        else:
            findings.append(_miscount(path, anchor, matches, places, source.splitlines()))
    if not findings:
        for anchor, problem in _moved(entry, tree, nodes, places):
            message = f"the anchor {anchor.name!r} {problem}: {anchor.statement.strip()}"
            hint = "if the insertion still means the same there, change the anchor in upstream.toml"
            findings.append(Finding("GEN006", path, message, hint, nodes[anchor.name].lineno))
    if findings:
        return "", findings
    text = _header(declaration, entry, path, content) + _splice(source, tree, entry, nodes)
    problem = _invalid(text, entry)
    if problem:
        return "", [Finding("GEN004", entry.target, problem, "correct [entry] in upstream.toml")]
    return text, []


def _places(body: Sequence[ast.stmt], around: Place) -> Iterator[tuple[ast.stmt, Place]]:
    """Yield every statement of a block, at whatever depth, with its place."""
    for number, statement in enumerate(body):
        yield statement, around
        inside = around
        if isinstance(statement, Scope):
            inside = replace(around, scopes=(*around.scopes, statement))
            later = [
                node.lineno for node in body[number + 1 :] if isinstance(node, Scope) and _replaces(node, statement)
            ]
            if later and not around.unreached:
                inside = replace(inside, unreached=f"line {later[0]} defines {statement.name} anew")
        for header, block in _blocks(statement):
            yield from _places(block, replace(inside, under=(*inside.under, header)) if header else inside)
        if not around.unreached and _leaves(statement):
            around = replace(around, unreached=f"line {statement.lineno} leaves before it")


def _replaces(later: Scope, earlier: Scope) -> bool:
    return later.name == earlier.name and not any(isinstance(node, ast.Attribute) for node in later.decorator_list)


def _blocks(node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield the blocks of a compound statement, each with its header in one plain form."""
    if isinstance(node, Scope):
        yield _kind(node), node.body
    elif isinstance(node, ast.If | ast.While):
        word = "if" if isinstance(node, ast.If) else "while"
        yield f"{word} {ast.unparse(node.test)}", node.body
        yield f"unless {ast.unparse(node.test)}", node.orelse
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}", node.body
        yield "else of a loop", node.orelse
    elif isinstance(node, ast.With | ast.AsyncWith):
        yield f"with {', '.join(map(ast.unparse, node.items))}", node.body
    elif isinstance(node, ast.Try | ast.TryStar):
        yield "try", node.body
        for handler in node.handlers:
            yield f"except {ast.unparse(handler.type)}" if handler.type else "except", handler.body
        yield "else of a try", node.orelse
        yield "", node.finalbody
    elif isinstance(node, ast.Match):
        for case in node.cases:
            yield f"case {ast.unparse(case.pattern)} of {ast.unparse(node.subject)}", case.body


def _kind(scope: Scope) -> str:
    """Return the sort of a function that a call alone does not run; empty for any other, and for a class."""
    if isinstance(scope, ast.AsyncFunctionDef):
        return "async def"
    nodes = _own_nodes(scope.body) if isinstance(scope, ast.FunctionDef) else ()
    return "generator" if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes) else ""


def _own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        yield node
        if not isinstance(node, Scope | ast.Lambda):
            yield from _own_nodes(ast.iter_child_nodes(node))


def _leaves(statement: ast.stmt) -> bool:
    """Return whether nothing after a statement runs: it leaves in every branch, or loops for ever."""
    match statement:
        case ast.Expr(value=ast.Call(func=function)):
            leaves = ast.unparse(function) in _ENDING
        case ast.If(test=ast.Constant(value=value)):
            leaves = _any_leaves(statement.body if value else statement.orelse)
        case ast.If():
            leaves = _any_leaves(statement.body) and _any_leaves(statement.orelse)
        case ast.While(test=ast.Constant(value=value)):
            leaves = bool(value) and not any(isinstance(node, ast.Break) for node in ast.walk(statement))
        case ast.With() | ast.AsyncWith():
            leaves = _any_leaves(statement.body)
        case ast.Try() | ast.TryStar():
            handled = all(_any_leaves(handler.body) for handler in statement.handlers)
            inside = _any_leaves([*statement.body, *statement.orelse])
            leaves = _any_leaves(statement.finalbody) or (handled and inside)
        case _:
            leaves = isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue)
    return leaves


def _any_leaves(block: Iterable[ast.stmt]) -> bool:
    return any(map(_leaves, block))


def _matches(anchor: Anchor, places: Mapping[ast.stmt, Place]) -> list[ast.stmt]:
    try:
        body = ast.parse(anchor.statement).body
    except SyntaxError as error:
        raise ToolError(
            f"the anchor {anchor.name!r} is no valid Python: {error.msg}", "correct upstream.toml"
        ) from error
    if len(body) != 1:
        raise ToolError(f"the anchor {anchor.name!r} is {len(body)} statements, not one", "correct upstream.toml")
    form = ast.unparse(body[0])
    return [node for node in places if ast.unparse(node) == form]


def _miscount(
    path: str, anchor: Anchor, matches: Sequence[ast.stmt], nodes: Iterable[ast.stmt], lines: Sequence[str]
) -> Finding:
    texts = {lines[node.lineno - 1].strip(): node.lineno for node in nodes}
    near = [texts[text] for text in difflib.get_close_matches(anchor.statement.strip(), texts, n=3, cutoff=0.1)]
    shown = [node.lineno for node in matches] or near
    details = tuple(f"{'' if matches else 'nearest is '}line {line}: {lines[line - 1].strip()}" for line in shown)
    count = f"{len(matches)} statements" if matches else "no statement"
    message = f"the anchor {anchor.name!r} matches {count}: {anchor.statement.strip()}"
    hint = "change the anchor in upstream.toml, or the upstream"
    return Finding("GEN003" if matches else "GEN002", path, message, hint, shown[0] if shown else 0, details)


def _moved(
    entry: EntryTable, tree: ast.Module, nodes: Mapping[str, ast.stmt], places: Mapping[ast.stmt, Place]
) -> Iterator[tuple[Anchor, str]]:
    """Yield each anchor that stands elsewhere than declared, or that no run reaches, with the reason."""
    reached = _reached(tree, entry.called)
    starts = [node.lineno for node in places]
    above: Anchor | None = None
    for anchor in entry.anchors:
        node, place = nodes[anchor.name], places[nodes[anchor.name]]
        outer = place.scopes[0] if place.scopes else None
        end = node.end_lineno or node.lineno
        if anchor.function and place.function != anchor.function:
            yield anchor, f"stands in {place.function or 'no function'}, not in {anchor.function}"
        elif above is not None and node.lineno <= nodes[above.name].lineno:
            yield anchor, f"stands before {above.name!r}, not after it"
        elif place.unreached:
            yield anchor, f"is never reached: {place.unreached}"
        elif outer is not None and outer.name not in reached and not outer.decorator_list:
            yield anchor, f"is never reached: nothing that the module runs calls {outer.name}"
        elif place.under != anchor.under:
            declared, actual = (" and ".join(f"`{block}`" for block in under) for under in (anchor.under, place.under))
            yield anchor, f"stands under {actual or 'no block'}, and its `under` says {declared or 'no block'}"
        elif starts.count(node.lineno) > 1 or (end in starts and end != node.lineno):
            yield anchor, "shares its line with another statement"
        above = anchor


def _reached(tree: ast.Module, called: Iterable[str]) -> set[str]:
    """Return the names that a run of the module uses, from its top and the `called` functions on."""
    scopes = {node.name: node for node in ast.walk(tree) if isinstance(node, Scope)}
    waiting = [*called, *_used(part for node in tree.body if _runs(node) for part in _at_load(node))]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(_used([scopes[name]]) if name in scopes else ())
    return reached


def _runs(statement: ast.stmt) -> bool:
    """Return whether a statement at the top runs in a program: a guard may ask for another name than its own."""
    match statement:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[operator], comparators=[ast.Constant(value)])):
            return (value == "__main__") == isinstance(operator, ast.Eq)
    return True


def _at_load(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that run when the module is loaded: of a function, not its body."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (*statement.decorator_list, statement.args)
    else:
        yield statement


def _used(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names, attributes and texts in code: each may lead to a function of that name."""
    for node in (part for root in nodes for part in ast.walk(root)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _header(declaration: Declaration, entry: EntryTable, path: str, content: bytes) -> str:
    lock = read_lock(declaration)
    lines = [f"Generated by `{COMMAND}`; do not edit.", f"Source: {path}", f"Source blob: {blob_id(content)}"]
    if lock:
        lines.append(f"Upstream commit: {lock.commit} ({lock.tag.name})")
    return "".join(f"# {line}\n" for line in (*lines, *entry.header))


def _splice(source: str, tree: ast.Module, entry: EntryTable, nodes: Mapping[str, ast.stmt]) -> str:
    """Return the source with every insertion and replacement done and every import absolute."""
    lines = source.splitlines()
    edits: list[Edit] = []  # lines [first, last) counted from 0, and the lines in their place
    for anchor in entry.anchors:
        node = nodes[anchor.name]
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        indent = lines[first][: node.col_offset]
        if anchor.replacement:
            edits.append((first, last, _indented(anchor.replacement, indent)))
        if anchor.insert_after:
            edits.append((last, last, _indented(anchor.insert_after, indent)))
    for relative in ast.walk(tree):
        if isinstance(relative, ast.ImportFrom) and relative.level:
            first, last = relative.lineno - 1, relative.end_lineno or relative.lineno
            absolute = f"from {_absolute(relative, entry.package)} import"
            edits.append((first, last, _RELATIVE.sub(absolute, "\n".join(lines[first:last]), count=1).split("\n")))
    if entry.imports:
        end = _end_of_imports(tree)
        edits.append((end, end, list(entry.imports)))
    for first, last, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):  # earlier numbers stay valid
        lines[first:last] = new
    return "\n".join(lines) + "\n"


def _indented(text: str, indent: str) -> list[str]:
    return [indent + line if line.strip() else "" for line in text.strip("\n").splitlines()]


def _absolute(node: ast.ImportFrom, package: str) -> str:
    parts = package.split(".")
    if node.level > len(parts):
        raise ToolError(f"line {node.lineno}: the relative import leads out of the package {package}")
    return ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])


def _end_of_imports(tree: ast.Module) -> int:
    """Return the number of lines up to the last import at the top; after the docstring when there is none."""
    end = 0
    for node in tree.body:
        docstring = node is tree.body[0] and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, ast.Import | ast.ImportFrom):
            break
        end = node.end_lineno or end
    return end


def _invalid(text: str, entry: EntryTable) -> str:
    try:
        tree = ast.parse(text, entry.target)
        compile(tree, entry.target, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return f"with the insertions it is no valid Python: {error}"
    relative = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    return f"line {relative[0]} still has a relative import" if relative else ""


def _target_findings(declaration: Declaration, entry: EntryTable) -> Iterator[Finding]:
    """Yield a target that is no regular file, and the packages and libraries that Python imports in its place."""
    target = declaration.root / entry.target
    if target.is_symlink() or (target.exists() and not target.is_file()):
        yield Finding("GEN005", entry.target, "is no regular file", f"remove it, then {COMMAND}")
    for path in sorted(target.parent.glob(f"{target.stem}*")):
        library = path.name.startswith(f"{target.stem}.") and path.suffix in _LIBRARIES
        if library or (path.name == target.stem and any(path.glob("__init__.*"))):
            shown = path.relative_to(declaration.root).as_posix()
            yield Finding("GEN007", shown, f"is imported in place of {entry.target}", "remove it")
