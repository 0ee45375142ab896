"""`boundary`: imports of the mirrored package, its names in use, and import-linter's contracts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import Declaration, read_declaration
from ..declaration.used_names import Symbol, parse_list
from ..errors import NotDeclaredError, ToolError
from ..findings import Check, Finding, Report
from ..modules import UNREAD, Module, UnreadError, readable
from ..project import Project
from ..shadowing import package_shadows
from ..system.files import Files, replace_file
from ..system.process import PythonProcess
from ..text import raw_path
from ..toml.table import read_text
from ..tool_name import TOOL
from .allowlist import all_judged, compare, list_text, pruned
from .commands.files import command_findings, read_commands
from .containers import is_archive
from .declared_paths import stale_paths
from .judged import PIPE, judged_modules
from .linting import broken_contracts, contract_findings, start_linting
from .package_names import PackageNames
from .references import Reference, ReferenceKind, references
from .symbols import symbols_used
from .texts.pieced_texts import may_piece_together
from .texts.worth_reading import may_refer

CODES = {
    ReferenceKind.IMPORT: "IMP001",
    ReferenceKind.LATE: "IMP001",
    ReferenceKind.DYNAMIC: "IMP002",
    ReferenceKind.UNKNOWN: "IMP002",
    ReferenceKind.TEXT: "IMP003",
    ReferenceKind.TYPED: "IMP004",
}


class Boundary:
    """The check of one project, in two steps, so that import-linter's process works while other things are done."""

    def __init__(self, project: Project) -> None:
        """Read the declaration and start import-linter.

        Raises:
            ToolError: nothing is declared, or the mirrored package is not there.
        """
        self._project = project
        declaration = read_declaration(project)
        self._declaration = declaration
        self._rules = declared(project, declaration)
        self._source = project.root / declaration.path / self._rules.source
        if not (self._source / self._rules.package).is_dir():
            shown = f"{declaration.path}/{self._rules.source}".rstrip("/")
            raise ToolError(f"{shown} has no package {self._rules.package}", f"{TOOL} mirror sync")
        folder = f"{declaration.path}/{self._rules.source}"
        self._names = PackageNames.within(self._rules.package, folder, project.prefix or "")
        self._linting = self._start_linting()

    def report(self) -> Report:
        """Look through our own code and gather everything found; one finding for one place."""
        try:
            return self._report()
        finally:
            if self._linting is not None:
                self._linting.stop()

    def _report(self) -> Report:
        modules, links = judged_modules(self._project, self._declaration, self._rules)
        used = self._used(modules, links)
        listed = compare(used, self._listed(), self._rules.symbols, whole=all_judged(links, self._rules))
        # A file may be read both as Python and as commands.
        found = list(
            dict.fromkeys(
                (
                    *links,
                    *self._reference_findings(modules),
                    *self._command_findings({one.path for one in modules}),
                    *listed,
                    *self._shadow_findings(),
                    *stale_paths(self._project, self._rules),
                )
            )
        )
        places = {(finding.path, finding.line) for finding in found}
        paths = {module.name: module.path for module in modules}
        broken, unchecked = self._broken(paths, links)
        found.extend(one for one in broken if not one.line or (one.path, one.line) not in places)
        contracts = f" and {self._rules.contracts}" if self._linting is not None and not unchecked else ""
        names = f"{len(used)} names of {self._rules.package} used"
        summary = f"{len(modules)} files compared with the rules{contracts}; {names}"
        return Report.of("boundary", [Check("boundary", summary)], found)._replace(unchecked=unchecked)

    def _broken(self, paths: Mapping[str, str], unread: Iterable[Finding]) -> tuple[list[Finding], tuple[str, ...]]:
        """Return the findings of import-linter; else the reason why there are none, as it reads every file as well."""
        if self._linting is None:
            return [], ()
        pipe = next((one.shown_path for one in unread if one.message == PIPE), None)
        if pipe is not None:  # it would wait for it
            return [], (f"boundary: {self._rules.contracts} was not checked: {pipe} {PIPE}",)
        try:
            return list(contract_findings(broken_contracts(self._linting), paths)), ()
        except ToolError as error:
            return [], (f"boundary: {error.text} ({error.advice})",)

    def prune(self, files: Files) -> Report:
        """Remove names that are no longer used from the list; nothing is added."""
        modules, unread = judged_modules(self._project, self._declaration, self._rules)
        listed, used = self._listed(), self._used(modules, unread)
        kept = pruned(listed, used, whole=all_judged(unread, self._rules))
        if kept != listed:
            replace_file(files, self._project.root / self._rules.symbols, list_text(kept).encode())
        return self.report()

    def _start_linting(self) -> PythonProcess | None:
        if not self._rules.contracts:
            return None
        return start_linting(self._project.root, [self._source], self._rules.contracts)

    def _reference_findings(self, modules: Sequence[Module]) -> Iterator[Finding]:
        allowed = ", ".join(self._rules.importers)
        for module in modules:
            try:
                referring = self._references(module)
            except UnreadError as error:
                yield error.finding(module.path)
                continue
            for one in referring:
                if one.kind is not ReferenceKind.UNKNOWN and self._rules.allows(module.path):
                    continue
                if one.kind is ReferenceKind.TEXT and not self._is_inside(one.target):
                    continue
                yield _finding(module, one, allowed)

    def _references(self, module: Module) -> list[Reference]:
        text = module.text
        pieced = may_piece_together(text, self._rules.package)
        if not pieced and not may_refer(text, self._names):
            if not is_archive(module.path):
                module.ensure_valid()
            return []
        inside = module.path.rpartition("/")[0].replace("/", ".")
        name = module.name if module.path.endswith(".py") else ""  # others have names that nothing tells
        with readable(module.path):
            return list(references(module.tree, self._names, inside, name, pieced=pieced))

    def _command_findings(self, python: Collection[str]) -> Iterator[Finding]:
        """Findings in files of commands and settings; those that are read as Python were judged as such."""
        mirror, root, allowed = self._declaration.path, self._project.root, ", ".join(self._rules.importers)
        files, others = judged_modules(self._project, self._declaration, self._rules, read_commands)
        yield from (one for one in others if one.code in UNREAD)
        for one in files:
            taken = one.path in python and not one.path.endswith(".pth")
            if not taken and not self._rules.allows(one.path):
                yield from command_findings(one, self._names, mirror, root, allowed)

    def _shadow_findings(self) -> Iterator[Finding]:
        if self._declaration.entry is None:  # else it is a finding of the entry
            rules = self._rules
            yield from package_shadows(self._project.root, self._declaration.path, rules.source, rules.package)

    def _listed(self) -> dict[Symbol, str]:
        return parse_list(read_text(self._project.root / self._rules.symbols, self._rules.symbols), self._rules.symbols)

    def _used(self, modules: Sequence[Module], unread: list[Finding]) -> dict[Symbol, tuple[str, int]]:
        """Return the names in use; a file of them that cannot be judged is added to the findings `unread`."""
        used: dict[Symbol, tuple[str, int]] = {}
        for module in (one for one in modules if self._rules.counts(one.path)):
            try:
                with readable(module.path):
                    symbols = list(symbols_used(module.tree, self._names, self._is_module))
            except UnreadError as error:
                unread.append(error.finding(module.path))
                continue
            for symbol, line in symbols:
                used.setdefault(symbol, (module.path, line))
        return used

    def _is_inside(self, text: str) -> bool:
        """Return whether a text names a module of the package, or something in a module below its top level."""
        name = self._names.own(text.partition(":")[0])
        above = name.rpartition(".")[0]
        return self._is_module(name) or ("." in above and self._is_module(above))

    def _is_module(self, name: str) -> bool:
        place = self._source.joinpath(*name.split("."))
        try:
            return place.is_dir() or place.with_suffix(".py").is_file()
        except OSError:  # the name is longer than any file's
            return False


def declared(project: Project, declaration: Declaration) -> BoundaryDeclaration:
    """The project's boundary.

    Raises:
        NotDeclaredError: it declares none.
    """
    if declaration.boundary is None:
        raise NotDeclaredError(f"{project.declaration} has no [boundary] table", "this project has no import boundary")
    return declaration.boundary


def _finding(module: Module, one: Reference, allowed: str) -> Finding:
    code = CODES[one.kind]
    if one.kind is ReferenceKind.UNKNOWN:
        fix = "import by name, so that the boundary can be checked"
    else:
        fix = f"only these may import it: {allowed}"
    return Finding(code, raw_path(module.path), f"{one.kind.value} {one.target}", fix, one.line)
