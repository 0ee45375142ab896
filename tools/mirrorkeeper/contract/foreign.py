"""`contract --go-source`: the contract against a gateway that is only there as source, in one release or in many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..declaration.declaration import read_declaration
from ..errors import ToolError
from ..findings import Check, Finding, Report
from ..project import Project
from .check import declared
from .comparison import contract_findings, endpoint_findings, key_findings, sentinel
from .expectations import Expectations, read_expectations
from .gosource.repository import GoRepository
from .history import OfferedRelease, history_report
from .surface import Surface


def foreign_report(project: Project, place: Path, ref: str | None) -> Report:
    """Hold the contract against the Go source at `ref`; without one, at the newest release.

    Raises:
        ToolError: the repository, the release or the tables cannot be read.
    """
    expectations = _expectations(project)
    repository = GoRepository(place)
    chosen = ref or repository.newest()
    surface = repository.surface(chosen)
    count = sum(map(len, surface.routes.values()))
    summary = (
        f"{len(expectations.contract)} endpoints and {len(expectations.keys)} keys held against {chosen}: "
        f"{count} routes, {len(surface.keys)} keys read from its source"
    )
    findings = _findings(surface, expectations, chosen)
    return Report.of("contract --go-source", [Check("contract", summary)], findings)


def foreign_history(project: Project, place: Path, pattern: str, say: Callable[[str], None]) -> Report:
    """Say for every row of the contract in which of the releases that match a pattern it exists.

    Raises:
        ToolError: the repository or the tables cannot be read, or no release matches.
    """
    expectations = _expectations(project)
    repository = GoRepository(place)
    tags = repository.tags(pattern)
    if not tags:
        raise ToolError(f"no tag of {place} matches {pattern!r}", "quote the pattern, as in --history 'v7.*'")
    say(f"reading {len(tags)} releases, {tags[0]} to {tags[-1]}")
    return history_report([OfferedRelease(tag, repository.surface(tag)) for tag in tags], expectations)


def _findings(surface: Surface, expectations: Expectations, where: str) -> list[Finding]:
    """As for our own gateway, but a release that never had a health route is judged by its other routes."""
    broken = sentinel(surface, expectations, where)
    if broken is None or broken.code != "CON002":
        return contract_findings(surface, expectations, where)
    return [
        *endpoint_findings(expectations.contract, surface, where),
        *endpoint_findings(expectations.also_used, surface, where, "CON007"),
        *key_findings(expectations.keys, surface, where),
    ]


def _expectations(project: Project) -> Expectations:
    expectations = read_expectations(project, declared(project, read_declaration(project)).expectations)
    expectations.stop()  # no code is judged, so that no function is asked
    return expectations
