"""`boundary` for Go: imports of the mirrored module, the ways around them, and its names in use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...declaration.declaration import read_declaration
from ...declaration.used_names import Symbol, parse_list
from ...findings import Check, Finding, Report
from ...modules import UNREAD, Module, TooLargeError, UnreadError, readable, source_of, too_large, unreadable
from ...project import Project
from ...system.files import Files, replace_file
from ...text import raw_path
from ...toml.table import read_text
from ..allowlist import all_judged, compare, list_text, pruned
from ..check import CODES, declared
from ..commands.files import read_commands
from ..declared_paths import stale_paths
from ..judged import judged_modules
from ..references import Reference
from .commands import go_command_findings
from .modules import GO_MOD, GO_WORK, VENDORED, guarded_by, module_findings
from .references import Guarded, go_references, names_used


class GoBoundary:
    """The check of one project whose source is Go."""

    def __init__(self, project: Project) -> None:
        """Read the declaration and every judged file.

        Raises:
            ToolError: nothing is declared, or the mirrored module is not there.
        """
        self._project = project
        declaration = read_declaration(project)
        self._declaration = declaration
        self._rules = declared(project, declaration)
        judged, self._links = judged_modules(project, declaration, self._rules, _read)
        self._modules = (*judged, *_ignored_workspace(project, judged, self._links))
        self._guarded: Guarded = guarded_by(project, declaration, self._rules, self._modules)
        self._around = tuple(module_findings(declaration, self._rules, self._guarded, self._modules))

    def report(self) -> Report:
        """Compare every file with the rules."""
        files = [one for one in self._modules if one.path.endswith(".go")]
        found = [
            *self._links,
            *self._around,
            *self._references(files),
            *self._commands(),
            *stale_paths(self._project, self._rules),
        ]
        names = ""
        if self._rules.symbols:
            used = self._used(files)
            everything = all_judged(found, self._rules)
            found.extend(compare(used, self._listed(), self._rules.symbols, whole=everything))
            names = f"; {len(used)} names of {self._rules.package} used"
        summary = f"{len(files)} Go files and {len(self._modules) - len(files)} module files compared with the rules"
        return Report.of("boundary", [Check("boundary", f"{summary}{names}")], found)

    def prune(self, files: Files) -> Report:
        """Remove names that are no longer used from the list; nothing is added."""
        if self._rules.symbols:
            listed, files_of_go = self._listed(), [one for one in self._modules if one.path.endswith(".go")]
            unread = (*self._links, *self._references(files_of_go))
            kept = pruned(listed, self._used(files_of_go), whole=all_judged(unread, self._rules))
            if kept != listed:
                replace_file(files, self._project.root / self._rules.symbols, list_text(kept).encode())
        return self.report()

    def _references(self, files: Sequence[Module]) -> Iterator[Finding]:
        fix = f"only these may import it: {', '.join(self._rules.importers)}"
        for module in files:
            try:
                with readable(module.path):
                    referring = list(go_references(module, self._guarded))
            except UnreadError as error:
                yield error.finding(module.path)
                continue
            if not self._rules.allows(module.path):
                yield from (_finding(module, one, fix) for one in referring)

    def _commands(self) -> Iterator[Finding]:
        files, others = judged_modules(self._project, self._declaration, self._rules, read_commands)
        yield from (one for one in others if one.code in UNREAD)
        for one in files:
            if not self._rules.allows(one.path):
                yield from go_command_findings(one, self._guarded, ", ".join(self._rules.importers))

    def _used(self, files: Sequence[Module]) -> dict[Symbol, tuple[str, int]]:
        used: dict[Symbol, tuple[str, int]] = {}
        for module in files:
            for symbol, line in names_used(module, self._guarded) if self._rules.counts(module.path) else ():
                used.setdefault(symbol, (module.path, line))
        return used

    def _listed(self) -> dict[Symbol, str]:
        return parse_list(read_text(self._project.root / self._rules.symbols, self._rules.symbols), self._rules.symbols)


def _ignored_workspace(project: Project, judged: Sequence[Module], found: list[Finding]) -> Iterator[Module]:
    """Yield the `go.work` that git ignores: every build at the root takes it all the same."""
    if any(one.path == GO_WORK for one in judged) or any(one.path == GO_WORK.encode() for one in found):
        return
    try:
        yield Module(GO_WORK, source_of(project.root / GO_WORK))
    except FileNotFoundError:
        return
    except TooLargeError:
        found.append(too_large(GO_WORK))
    except OSError as error:
        found.append(unreadable(GO_WORK, error).finding(GO_WORK))


def _finding(module: Module, one: Reference, fix: str) -> Finding:
    return Finding(CODES[one.kind], raw_path(module.path), f"{one.kind.value} {one.target}", fix, one.line)


def _read(path: Path, shown: str) -> Module | None:
    """The file of Go source or of a module; None of any other."""
    if path.suffix != ".go" and path.name not in (GO_MOD, GO_WORK, VENDORED):
        return None
    return Module(shown, source_of(path))
