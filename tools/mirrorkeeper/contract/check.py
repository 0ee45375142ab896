"""`contract`: the tables of endpoints in use, against the mirrored or a candidate gateway and against the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..declaration.contract import ContractDeclaration
from ..declaration.declaration import Declaration, read_declaration
from ..errors import NotDeclaredError, ToolError
from ..findings import Check, Finding, Report
from ..modules import Module, UnreadError, modules_of, pages_of, readable, scripts_of
from ..project import Project
from ..system.process import PythonProcess
from ..system.second_process import SecondProcess, has_second_core
from ..text import raw_path
from ..toml.table import read_text
from ..tool_name import TOOL
from .comparison import contract_findings
from .declared_paths import judged_paths
from .expectations import read_expectations
from .literals import Vocabulary, literal_findings
from .own import own_findings
from .pending import Pending, growth_findings, parse_pending
from .scripts import page_findings, script_findings
from .surface import parse_surface


class Contract:
    """The check of one project, in two steps, so that the two introspections work while other things are done."""

    def __init__(self, project: Project, tree: Path | None = None) -> None:
        """Read declaration and tables, and start the introspections.

        Args:
            project: whose contract.
            tree: a gateway's tree to judge instead of the mirrored one.

        Raises:
            ToolError: nothing is declared, or the tables cannot be read.
        """
        self._project = project
        declaration = read_declaration(project)
        self._rules = declared(project, declaration)
        self._paths, self._astray = judged_paths(project, self._rules.paths)
        self._expectations = read_expectations(project, self._rules.expectations)
        shown = self._rules.pending
        self._pending = parse_pending(read_text(project.root / shown, shown), shown) if shown else Pending()
        self._where = str(tree) if tree else declaration.path
        place = (tree.resolve() if tree else project.root / declaration.path) / self._rules.source
        if not place.is_dir():
            raise ToolError(f"{place} is not a folder", f"{TOOL} mirror sync, or name another with --tree")
        path = [project.root, place]
        self._offered = PythonProcess.of_module(self._rules.offered, project.root, path)
        self._mounted = self._start_mounted(path)
        # Reading takes as long as the boundary does, which reads meanwhile.
        self._written = SecondProcess(self._plain_literals) if has_second_core() else None

    def report(self) -> Report:
        """Gather everything that is not as relied on."""
        rules, expectations = self._rules, self._expectations
        try:
            written = self._literals()  # while the introspections work
            answer = self._offered.answer(rules.offered, f"python -m {rules.offered} shows the error")
            surface = parse_surface(answer, rules.offered)
            findings = [*self._astray, *written, *self._count_findings(), *self._pending_findings()]
            findings.extend(contract_findings(surface, expectations, self._where, self._pending, rules.pending))
            findings.extend(self._own_findings())
        finally:
            self.stop()
        return Report.of("contract", [self._summary(sum(map(len, surface.routes.values())))], findings)

    def stop(self) -> None:
        """End the introspections and the process of the tables, if they have not ended."""
        self._offered.stop()
        if self._mounted is not None:
            self._mounted.stop()
        if self._written is not None:
            self._written.stop()
        self._expectations.stop()

    def _start_mounted(self, path: list[Path]) -> PythonProcess | None:
        if not self._rules.mounted:
            return None
        return PythonProcess.of_module(self._rules.mounted, self._project.root, path)

    def _summary(self, routes: int) -> Check:
        expectations = self._expectations
        text = (
            f"{len(expectations.contract)} endpoints and {len(expectations.keys)} keys held against {routes} routes "
            f"of {self._where}; {len(expectations.also_used)} more endpoints in use; "
            f"{expectations.own_paths} paths of our own"
        )
        return Check("contract", text)

    def _count_findings(self) -> Iterator[Finding]:
        found = self._expectations
        for name, count, wanted in (
            ("CONTRACT", len(found.contract), self._rules.endpoints),
            ("OWN", found.own_paths, self._rules.own),
            ("KEYS", len(found.keys), self._rules.keys),
        ):
            if count != wanted:
                text = f"{name} has {count} rows, {wanted} are declared"
                yield Finding("CON013", raw_path(self._rules.expectations), text, "correct the table, or [contract]")

    def _own_findings(self) -> Iterator[Finding]:
        if self._mounted is None:
            return
        rules = self._rules
        text = self._mounted.answer(rules.mounted, f"python -m {rules.mounted} shows the error")
        surface = parse_surface(text, rules.mounted)
        yield from own_findings(surface, self._expectations, self._pending, rules.mounted, rules.pending)

    def _pending_findings(self) -> Iterator[Finding]:
        if self._rules.pending:
            yield from growth_findings(self._project, self._rules.pending, self._pending)

    def _literals(self) -> list[Finding]:
        """Take the findings of the second process, or read the code here: an error is told by the reading itself."""
        found = self._written.result() if self._written is not None else None
        return list(self._literal_findings()) if found is None else [Finding(*one) for one in found]

    def _plain_literals(self) -> list[tuple[object, ...]]:
        return [tuple(one) for one in self._literal_findings()]

    def _literal_findings(self) -> Iterator[Finding]:
        words, unread = self._expectations.words, list[Finding]()
        for module in modules_of(self._project, self._paths, unread):
            if module.path != self._rules.expectations:
                yield from _judged(module, words)
        for script in scripts_of(self._project, self._paths, unread):
            yield from script_findings(script.content.decode("utf-8", "replace"), script.path, words)
        for page in pages_of(self._project, self._paths, unread):
            yield from page_findings(page.content.decode("utf-8", "replace"), page.path, words)
        yield from unread


def _judged(module: Module, words: Vocabulary) -> list[Finding]:
    """Return the findings in a module; one that is not valid Python is a finding itself."""
    try:
        with readable(module.path):
            return list(literal_findings(module.tree, module.path, words))
    except UnreadError as error:
        return [error.finding(module.path)]


def declared(project: Project, declaration: Declaration) -> ContractDeclaration:
    """The project's contract.

    Raises:
        NotDeclaredError: it declares none.
    """
    if declaration.contract is None:
        raise NotDeclaredError(f"{project.declaration} has no [contract] table", "this project has no contract")
    return declaration.contract
