"""Git attributes on mirrored paths: those that convert bytes at a checkout, and those that change an archive.

Theory of operation. Our attribute files are those above the mirrored folder and the clone's own; those inside are the
upstream's. Ours are copied to a repository of their own and asked alone, then over attributes that set everything,
which shows the paths that settings of a person could convert. Where files inside speak of archives, they are asked as
well: they win over ours, and no guard of ours helps. For the same reason a clone has what they convert.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .declaration import Declaration
from .findings import Finding
from .repository import Repository

_CONVERTING = ("text", "eol", "ident", "filter", "working-tree-encoding")
_ARCHIVING: Mapping[str, str] = {
    "export-ignore": "an archive leaves it out",
    "export-subst": "an archive may write other bytes",
}
_EVERYTHING = "* text eol=crlf ident filter=any working-tree-encoding=UTF-16\n"
_UNSET = ("unspecified", "unset")
_NAME = ".gitattributes"


def attribute_findings(
    project: Repository, declaration: Declaration, paths: Sequence[str], work: Path
) -> Iterator[Finding]:
    """Judge the attributes on the mirrored paths (relative to the mirror) and on the patches; `work` takes copies."""
    mirrored = [f"{declaration.path}/{path}" for path in paths]
    patches = [f"{declaration.patches.folder}/{name}" for name in declaration.patches.order]
    attributes = _Attributes(project, declaration, work)
    ours = attributes.converted([*mirrored, *patches])
    probed = attributes.converted(mirrored, _EVERYTHING)
    guard = f"add `{declaration.path}/** -text !eol !ident !filter !working-tree-encoding` to the end of {_NAME}"
    for subjects, code in ((mirrored, "ENV009"), (patches, "ENV003")):
        changed = [path for path in subjects if path in ours]
        if changed:
            text = f"our own attributes set {ours[changed[0]]} on it{_and_more(changed)}"
            yield Finding(code, changed[0], f"{text}: a checkout may write other bytes", guard)
    unguarded = [path for path in mirrored if path in probed and path not in ours]
    if unguarded:
        text = f"settings of a clone or a person may convert it{_and_more(unguarded)}: no attribute of ours prevents it"
        yield Finding("ENV010", unguarded[0], text, guard)
    by_us = attributes.archived(mirrored)
    yield from _archive_findings(by_us, "ENV009", "our own attributes set", f"take it out of {_NAME}")
    if attributes.add_inner(mirrored):
        inner = [row for row in attributes.archived(mirrored) if row not in by_us]
        yield from _archive_findings(inner, "ENV011", "attributes in the mirror set", "leave it out with `exclude`")


def checked_out(
    project: Repository, declaration: Declaration, stored: Mapping[str, str], names: Sequence[str], work: Path
) -> dict[str, bytes]:
    """Return the bytes that a checkout writes for files of the mirror, by their paths.

    `stored` has the id of each as git stores it, `names` are all paths, those of attribute files among them. No program
    of a filter is started.
    """
    attributes = _Attributes(project, declaration, work)
    attributes.add_inner([f"{declaration.path}/{name}" for name in names])
    return attributes.written(project, stored)


def _archive_findings(rows: Sequence[tuple[str, str]], code: str, setter: str, hint: str) -> Iterator[Finding]:
    for attribute, consequence in _ARCHIVING.items():
        paths = [path for name, path in rows if name == attribute]
        if paths:
            text = f"{setter} {attribute} on it{_and_more(paths)}: {consequence}"
            yield Finding(code, paths[0].rstrip("/"), text, hint)


class _Attributes:
    """Our attribute files, copied to a repository of their own."""

    def __init__(self, project: Repository, declaration: Declaration, work: Path) -> None:
        self._folder = declaration.path
        self._prefix = project.prefix
        self._repository = Repository.create(work / "attributes.git")
        self._tree = work / "attributes"
        self._tree.mkdir()
        self._person = work / "everything"
        self._top = Path(os.path.realpath(project.run("rev-parse", "--show-toplevel").text))
        for folder in ("", *_above(project.prefix + declaration.path), project.prefix + declaration.patches.folder):
            self._copy(f"{folder}/{_NAME}".lstrip("/"))
        clone = Path(project.run("rev-parse", "--path-format=absolute", "--git-path", "info/attributes").text)
        rules = clone.read_bytes() if clone.is_file() else b""
        (work / "attributes.git/info/attributes").write_bytes(rules)

    def add_inner(self, paths: Sequence[str]) -> bool:
        """Add the attribute files among the paths; return whether one speaks of archives."""
        names = [self._prefix + path for path in paths if path.rpartition("/")[2] == _NAME]
        contents = [self._copy(name) for name in names]
        return any(b"export-" in content for content in contents)

    def converted(self, paths: Sequence[str], personal: str = "") -> dict[str, str]:
        """Return the paths whose bytes a checkout changes, each with the attribute that does.

        Paths are relative to the project. `personal` attributes, those of a person, lie below all others.
        """
        effects = dict[str, str]()
        for path, row in self._ask(paths, _CONVERTING, personal).items():
            if row["text"] != "unset" and (row["text"] != "unspecified" or row["eol"] != "unspecified"):
                # `text` alone writes the stored bytes of a file with plain newlines; another file it changes.
                setting = "eol" if row["eol"] not in _UNSET else "text"
                effects[path] = f"{setting}={row[setting]}"
            for attribute in ("ident", "filter", "working-tree-encoding"):
                if row[attribute] not in _UNSET:
                    effects[path] = f"{attribute}={row[attribute]}"
        return effects

    def archived(self, paths: Sequence[str]) -> list[tuple[str, str]]:
        """Return the attributes that change an archive, each with its path; a folder has a slash at its end.

        An archive asks about folders as well, and leaves everything below one out.
        """
        folders = sorted({f"{folder}/" for path in paths for folder in _above(path)})
        rows = self._ask([*folders, *paths], tuple(_ARCHIVING), "").items()
        return [(name, path) for path, row in rows for name, value in row.items() if value not in _UNSET]

    def written(self, project: Repository, stored: Mapping[str, str]) -> dict[str, bytes]:
        """Return what a checkout writes for stored files of the mirror; one whose bytes git lacks is left out."""
        objects = project.run("rev-parse", "--path-format=absolute", "--git-path", "objects").text
        variables = {
            **self._variables,
            "GIT_INDEX_FILE": str(self._repository.folder / "index"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects,
        }
        names = {path: f"{self._prefix}{self._folder}/{path}" for path in stored}
        stdin = os.fsencode("".join(f"100644 {oid}\t{names[path]}\0" for path, oid in stored.items()))
        git = Repository(self._tree)
        git.run("update-index", "-z", "--index-info", stdin=stdin, env=variables)
        git.run("checkout-index", "--all", "--force", "--quiet", env=variables, check=False)
        files = {path: self._tree / name for path, name in names.items()}
        return {path: file.read_bytes() for path, file in files.items() if file.is_file()}

    @property
    def _variables(self) -> dict[str, str]:
        folders = {"GIT_DIR": str(self._repository.folder), "GIT_WORK_TREE": str(self._tree)}
        return {**folders, "GIT_LITERAL_PATHSPECS": "0"}

    def _ask(self, paths: Sequence[str], attributes: Sequence[str], personal: str) -> dict[str, dict[str, str]]:
        self._person.write_text(personal, encoding="utf-8")
        options = ("-c", f"core.attributesFile={self._person}", "check-attr", "-z", "--stdin")
        stdin = os.fsencode("".join(f"{self._prefix}{path}\0" for path in paths))
        records = Repository(self._tree).run(*options, *attributes, stdin=stdin, env=self._variables).records
        rows = dict[str, dict[str, str]]()
        for name, attribute, value in zip(records[::3], records[1::3], records[2::3], strict=True):
            rows.setdefault(name.removeprefix(self._prefix), {})[attribute] = value
        return rows

    def _copy(self, name: str) -> bytes:
        source, target = self._top / name, self._tree / name
        if not source.is_file():
            return b""
        target.parent.mkdir(parents=True, exist_ok=True)
        content = source.read_bytes()
        target.write_bytes(content)
        return content


def _above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]


def _and_more(paths: Sequence[str]) -> str:
    return f" and {len(paths) - 1} more" if len(paths) > 1 else ""
