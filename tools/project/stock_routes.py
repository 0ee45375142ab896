"""Command `stock`: the contract held against the Go source of a stock gateway, read by patterns.

A release registers its routes with literal paths on gin's groups, and names its keys in `yaml` tags. A function that
registers routes has to be mentioned by one that runs: `main`, `init`, an exported function, or one they lead to.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from ..mirror.commands import finish, output_option
from ..mirror.contract import Surface, contract_findings, normal_path, read_tables
from ..mirror.declaration import read_declaration
from ..mirror.errors import ToolError
from ..mirror.findings import Report
from ..mirror.repository import Repository
from ..mirror.tree import list_tree

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
CONFIG_FOLDER, CONFIG_TYPE = "internal/config", "Config"
_PATH = r"(?P<path>(?:\"[^\"]*\"|[A-Za-z_][\w.]*)(?:\s*\+\s*(?:\"[^\"]*\"|[A-Za-z_][\w.]*))*)"
_GROUP = re.compile(rf"(?P<name>\w+)\s*:?=\s*(?P<base>[\w.]+)\.Group\(\s*{_PATH}\s*[,)]")
_ROUTE = re.compile(rf"(?P<base>[\w.]+)\.(?P<method>{'|'.join(METHODS)}|Any)\(\s*{_PATH}\s*,")
_HANDLE = re.compile(rf"(?P<base>[\w.]+)\.Handle\(\s*\"(?P<method>\w+)\"\s*,\s*{_PATH}\s*,")
_CONSTANT = re.compile(r"^\s*(?:const\s+)?(\w+)(?:\s+string)?\s*=\s*\"([^\"]*)\"\s*$", re.MULTILINE)
_FUNCTION = re.compile(r"^func\s+(?:\([^)]*\)\s*)?(\w+)", re.MULTILINE)
_TEXT_OR_COMMENT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|`[^`]*`|'(?:\\.|[^'\\\n])+'|//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRUCT = re.compile(r"^type\s+(\w+)\s+struct\s*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(
    r"^\s*(?:\w+\s+)?(?P<type>[\w.*\[\]]+)\s+`[^`]*yaml:\"(?P<name>[^\",]*)(?P<inline>,inline)?", re.MULTILINE
)
_DEEPEST = 8


class Function(NamedTuple):
    """One function: its name and text, empty name for the code around the functions."""

    name: str
    text: str


@click.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--ref", metavar="TAG", help="SOURCE is a git repository: read this release of it.")
@output_option
@click.pass_context
def stock(context: click.Context, source: Path, ref: str | None, output_format: str) -> None:
    """Hold the contract against SOURCE, the Go source of a stock gateway.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    tables = read_tables(read_declaration(context.obj))
    surface = surface_of(_archived(source, ref) if ref else _files(source))
    where = ref or source.name
    count = sum(map(len, surface.routes.values()))
    summary = (
        f"{len(tables.CONTRACT)} endpoints and {len(tables.KEYS)} keys held against {where}: "
        f"{count} routes and {len(surface.keys)} keys read from its source"
    )
    finish(context, Report.of("stock", contract_findings(surface, tables, where), summary), output_format)


def surface_of(files: Mapping[str, str]) -> Surface:
    """Return the routes and keys of a source, by path and text of its Go files."""
    texts = {path: _TEXT_OR_COMMENT.sub(_kept, text) for path, text in files.items() if not path.endswith("_test.go")}
    constants = {name: value for text in texts.values() for name, value in _CONSTANT.findall(text)}
    functions = [function for text in texts.values() for function in _functions(text)]
    running = _running(functions)
    registered = [(function.name, *route) for function in functions for route in _routes(function.text, constants)]
    served = {(method, normal_path(path)) for name, method, path in registered if name in running}
    uncalled = {(method, normal_path(path)): name for name, method, path in registered if name not in running}
    surface = Surface.of([(method, path) for _, method, path in registered], _keys(texts))
    return Surface(surface.routes, surface.keys, {row: name for row, name in uncalled.items() if row not in served})


def _kept(match: re.Match[str]) -> str:
    """Blank a comment, and keep a text."""
    return "\n" * match[0].count("\n") if match[0].startswith("/") else match[0]


def _functions(text: str) -> Iterator[Function]:
    starts = list(_FUNCTION.finditer(text))
    yield Function("", text[: starts[0].start()] if starts else text)
    for number, start in enumerate(starts):
        end = text.find("\n}", start.end())
        after = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        yield Function(start[1], text[start.end() : end if end > 0 else after])
        yield Function("", text[end:after] if 0 < end < after else "")


def _running(functions: list[Function]) -> set[str]:
    """Return the names of the functions that may run, from the exported ones on."""
    mentions: dict[str, set[str]] = {}
    for function in functions:
        mentions.setdefault(function.name, set()).update(re.findall(r"\b[A-Za-z_]\w*\b", function.text))
    waiting = [name for name in mentions if name in ("", "main", "init") or name[0].isupper()]
    running: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in running:
            running.add(name)
            waiting += mentions.keys() & mentions[name] - running
    return running


def _routes(text: str, constants: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield method and path of each registration in a function, with the prefix of its group."""
    prefixes: dict[str, str] = {}
    for group in _GROUP.finditer(text):
        prefixes[group["name"]] = prefixes.get(group["base"], "") + _folded(group["path"], constants)
    for pattern in (_ROUTE, _HANDLE):
        for route in pattern.finditer(text):
            path = _folded(route["path"], constants)
            if path.startswith("/") or route["base"] in prefixes:
                for method in METHODS if route["method"] == "Any" else [route["method"]]:
                    yield method, prefixes.get(route["base"], "") + path


def _folded(expression: str, constants: Mapping[str, str]) -> str:
    parts = (part.strip() for part in expression.split("+"))
    return "".join(part[1:-1] if part.startswith('"') else constants.get(part.split(".")[-1], "") for part in parts)


def _keys(texts: Mapping[str, str]) -> set[str]:
    """Return the configuration keys, from the type of the configuration through the types of its fields."""
    structs = {
        name: body
        for path, text in texts.items()
        if path.rpartition("/")[0].endswith(CONFIG_FOLDER)
        for name, body in _STRUCT.findall(text)
    }
    return set(_keys_of(CONFIG_TYPE, "", structs))


def _keys_of(kind: str, above: str, structs: Mapping[str, str]) -> Iterator[str]:
    for field in _FIELD.finditer(structs.get(kind, "")) if above.count(".") < _DEEPEST else ():
        inner = re.sub(r"^(?:\*|\[\]|map\[string\])+", "", field["type"])
        if field["inline"]:
            yield from _keys_of(inner, above, structs)
        elif field["name"] != "-":
            items = "[]" if "[]" in field["type"] else ".*" if field["type"].startswith("map") else ""
            yield f"{above}{field['name']}"
            yield from _keys_of(inner, f"{above}{field['name']}{items}.", structs)


def _files(folder: Path) -> dict[str, str]:
    paths = folder.rglob("*.go")
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace") for path in paths}


def _archived(place: Path, ref: str) -> dict[str, str]:
    """Return the Go files of a release in a git repository; its attributes would leave some out of an archive."""
    repository = Repository(place)
    if repository.commit_of(ref) is None:
        raise ToolError(f"{place} has no {ref}", "name a tag or commit of that repository")
    rows = {path: row.oid for path, row in list_tree(repository, ref).items() if path.endswith(".go")}
    contents = repository.read_blobs(rows.values())
    return {path: content.decode("utf-8", "replace") for path, content in zip(rows, contents, strict=True)}
