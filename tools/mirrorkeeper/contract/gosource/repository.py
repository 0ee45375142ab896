"""Go trees straight from the objects of a git repository: nothing is checked out, each file is parsed once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from ...errors import ToolError
from ...git.command import Git
from ...git.objects import FILE, PROGRAM
from ...golang.constraints import is_built, is_wanted
from ...mirror.tree.listing import read_objects, read_tree_rows
from ..surface import Surface
from .calls import names_in
from .keys import configuration_keys
from .packages import Package, Universe, module_path
from .routes import Routes
from .syntax import GoFile, parse_file

_REGISTERS = re.compile(rb"\.(Group|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Handle|Match)\(")
_GIN = b"gin-gonic/gin"
_CONFIGURATION = re.compile(rb"^\s*type\s+Config\s+struct\b|^\tConfig\s+struct\b", re.MULTILINE)
_TAGGED = b'yaml:"'


class GoRepository:
    """A repository of a gateway written in Go.

    Args:
        place: a clone, a bare repository, or the git folder of one.
    """

    def __init__(self, place: Path) -> None:
        self._git = _git_at(place)
        self._place = place
        self._files: dict[str, GoFile | None] = {}
        self._kinds: dict[str, tuple[bool, bool]] = {}
        self._contents: dict[str, bytes] = {}
        self._mentions: dict[tuple[str, str], frozenset[str]] = {}

    def tags(self, pattern: str) -> list[str]:
        """The release tags that match a pattern, the oldest version first."""
        listed = self._git.run("for-each-ref", "--format=%(refname:strip=2)", "refs/tags").text.splitlines()
        return sorted((tag for tag in listed if fnmatchcase(tag, pattern)), key=version_order)

    def newest(self) -> str:
        """The newest release tag, or `HEAD` when there is none."""
        tags = [tag for tag in self.tags("v*") if re.fullmatch(r"v\d+(\.\d+)*", tag)]
        return tags[-1] if tags else "HEAD"

    def surface(self, ref: str) -> Surface:
        """Routes and keys of the tree at a tag, commit or branch.

        Raises:
            ToolError: there is no such commit, or no Go source in it.
        """
        try:
            return self._surface(ref)
        except RecursionError as error:
            raise ToolError(f"{self._place} at {ref}: an expression is nested too deeply to be read") from error

    def _surface(self, ref: str) -> Surface:
        folders, module = self._folders(ref), self._module(ref)
        universe = Universe(module, folders, lambda folder: self._load(folders[folder]))
        routes = Routes(universe)
        packages = [universe.package(folder) for folder in self._registering(folders)]
        routes.read(
            packages,
            lambda package: self._mentioned(ref, package),
            lambda package: not module or self._is_imported(ref, f"{module}/{package.folder}".rstrip("/"), package),
        )
        keys: dict[str, str] = {}
        for package in self._configuring(folders, universe):
            keys |= configuration_keys(universe, package)
        surface = Surface.of(routes.found, keys, routes.conditions, routes.refusals)
        return replace(surface, unread=tuple(sorted(routes.unread)))

    def _mentioned(self, ref: str, package: Package) -> frozenset[str]:
        """Return the names of exported functions of a package that files of other folders mention, tests left out."""
        if (ref, package.folder) not in self._mentions:
            names = sorted({one.name for one in package.bodies if one.name[:1].isupper()})
            words = [part for name in names for part in ("-e", name)]
            options = ("grep", "-z", "-w", "-F", *words, ref)
            output = self._git.run(*options, check=False).stdout if names else b""
            lines = _mentioned_elsewhere(output, ref, package.folder)
            self._mentions[ref, package.folder] = frozenset(word for line in lines for word in names_in(line))
        return self._mentions[ref, package.folder]

    def _is_imported(self, ref: str, path: str, package: Package) -> bool:
        """Return whether a Go file of another folder, tests left out, has an import of this path."""
        words = [part for quote in ('"', "`") for part in ("-e", f"{quote}{path}{quote}")]
        output = self._git.run("grep", "-z", "-o", "-F", *words, ref, check=False).stdout
        return any(_mentioned_elsewhere(output, ref, package.folder))

    def _folders(self, ref: str) -> dict[str, list[str]]:
        """Folder to the blob ids of its Go files that belong to the build by their name."""
        commit = self._git.run("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", check=False)
        if commit.status != 0:
            raise ToolError(f"{self._place} has no {ref}", "name a tag, branch or commit with --ref")
        folders: dict[str, list[str]] = {}
        rows = read_tree_rows(self._git, f"{commit.text}") or []
        others = tuple(path[:-6] for row in rows if (path := row.path.decode("utf-8", "replace")).endswith("/go.mod"))
        for row in rows:
            path = row.path.decode("utf-8", "replace")
            if row.mode in (FILE, PROGRAM) and is_built(path) and not path.startswith(others):
                folders.setdefault(path.rpartition("/")[0], []).append(row.oid)
        if not folders:
            raise ToolError(f"{self._place} has no Go source at {ref}", "is it the right repository?")
        self._classify(oid for oids in folders.values() for oid in oids)
        return folders

    def _module(self, ref: str) -> str:
        answer = self._git.run("cat-file", "blob", f"{ref}:go.mod", check=False)
        return module_path(answer.stdout) if answer.status == 0 else ""

    def _classify(self, oids: Iterable[str]) -> None:
        """Read the files not seen before, all at once, and note which register routes or hold a configuration."""
        new = sorted({oid for oid in oids if oid not in self._kinds})
        for oid, content in zip(new, read_objects(self._git, new), strict=True):
            registers = _GIN in content and _REGISTERS.search(content) is not None
            configures = _TAGGED in content and _CONFIGURATION.search(content) is not None
            self._kinds[oid] = (registers, configures)
            if registers or configures:
                self._contents[oid] = content

    def _registering(self, folders: dict[str, list[str]]) -> list[str]:
        return sorted(folder for folder, oids in folders.items() if any(self._kinds[oid][0] for oid in oids))

    def _configuring(self, folders: dict[str, list[str]], universe: Universe) -> Iterator[Package]:
        """The package of the application's configuration: called config, the shallowest where there are several."""
        found = sorted(
            (folder for folder, oids in folders.items() if any(self._kinds[oid][1] for oid in oids)),
            key=lambda folder: (not folder.startswith("internal/"), folder.count("/"), folder),
        )
        for folder in found:
            package = universe.package(folder)
            if any(file.package == "config" for file in package.files) and package.structure("Config"):
                yield package
                return

    def _load(self, oids: list[str]) -> tuple[GoFile, ...]:
        missing = [oid for oid in oids if oid not in self._files and oid not in self._contents]
        self._contents.update(zip(missing, read_objects(self._git, missing), strict=True))
        for oid in oids:
            if oid not in self._files:
                content = self._contents.pop(oid)
                self._files[oid] = parse_file(content) if is_wanted(content) else None
        return tuple(file for oid in oids if (file := self._files[oid]) is not None)


def _mentioned_elsewhere(output: bytes, ref: str, folder: str) -> Iterator[str]:
    """Yield what `git grep -z` found in Go files of other folders, tests left out."""
    for line in output.decode("utf-8", "replace").splitlines():
        path, _, word = line.removeprefix(f"{ref}:").partition("\0")
        if path.endswith(".go") and not path.endswith("_test.go") and path.rpartition("/")[0] != folder:
            yield word


def version_order(tag: str) -> tuple[tuple[int, ...], str]:
    """Sort key of a tag among releases: its numbers, then by its text."""
    return tuple(int(number) for number in re.findall(r"\d+", tag)), tag


def _git_at(place: Path) -> Git:
    for folder in (place / ".git", place):
        if (folder / "objects").is_dir() and (folder / "HEAD").is_file():
            return Git(place, git_dir=folder.resolve())
    plain = Git(place)
    if place.is_dir() and plain.run("rev-parse", "--git-dir", check=False).status == 0:
        return plain
    raise ToolError(f"{place} is no git repository", "name a clone or its git folder with --go-source")
