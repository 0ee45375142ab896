"""All gates in one report and one exit status."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from .declaration import Declaration
from .errors import NotDeclaredError, ToolError
from .findings import Report, sort_findings

Gate = Callable[[Declaration, ExitStack], Callable[[], Report]]
"""Starts a gate, which may work in processes that end with the stack, and returns the function for its report."""


def _mirror(declaration: Declaration, _: ExitStack) -> Callable[[], Report]:
    from .lock import required_lock
    from .verify import verify

    def report() -> Report:
        tag = required_lock(declaration).tag.name
        summary = f"{declaration.path} and its patches at {tag}: files, index and last commit compared"
        return Report.of("mirror", verify(declaration), summary)

    return report


def _origin(declaration: Declaration, _: ExitStack) -> Callable[[], Report]:
    from .outdated import check_origin

    return lambda: Report.of("origin", check_origin(declaration), f"the pinned tag compared with {declaration.url}")


def _entry(declaration: Declaration, _: ExitStack) -> Callable[[], Report]:
    from .entry import check_entry

    return partial(check_entry, declaration)


def _boundary(declaration: Declaration, stack: ExitStack) -> Callable[[], Report]:
    from .boundary import BoundaryCheck

    return stack.enter_context(BoundaryCheck(declaration)).report


def _contract(declaration: Declaration, stack: ExitStack) -> Callable[[], Report]:
    from .contract import ContractCheck

    return stack.enter_context(ContractCheck(declaration)).report


GATES: Mapping[str, Gate] = {
    "mirror": _mirror,
    "origin": _origin,
    "entry": _entry,
    "boundary": _boundary,
    "contract": _contract,
}


def run_gates(declaration: Declaration, selected: Sequence[str] = ()) -> Report:
    """Run every gate, or the selected ones; one that cannot run does not keep the others from running.

    A gate that the project declares nothing for is passed over, unless it was selected. Those with processes of their
    own are started first.
    """
    names = [name for name in GATES if not selected or name in selected]
    steps: dict[str, Callable[[], Report]] = {}
    reports: dict[str, Report] = {}
    with ExitStack() as stack:
        for name in reversed(names):
            try:
                steps[name] = GATES[name](declaration, stack)
            except (ToolError, OSError) as error:
                reports[name] = _failed(name, error, asked=name in selected)
        for name in (name for name in names if name in steps):
            try:
                reports[name] = steps[name]()
            except (ToolError, OSError) as error:
                reports[name] = _failed(name, error, asked=name in selected)
    return Report(
        "gates",
        sort_findings(finding for report in reports.values() for finding in report.findings),
        {key: text for name in names for key, text in reports[name].checks.items()},
        {key: text for name in names for key, text in reports[name].unchecked.items()},
    )


def _failed(name: str, error: ToolError | OSError, *, asked: bool) -> Report:
    """Return the report of a gate that could not run, or for which nothing is declared."""
    if isinstance(error, NotDeclaredError) and not asked:
        return Report(name, checks={name: f"passed over: {error.message}"})
    hint = f" ({error.hint})" if isinstance(error, ToolError) and error.hint else ""
    return Report(name, unchecked={name: f"{error}{hint}"})
