"""All gates in one report and one exit status."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from .boundary import BoundaryCheck
from .contract import ContractCheck
from .declaration import Declaration
from .entry import check_entry
from .errors import NotDeclaredError, ToolError
from .findings import Report, sort_findings
from .lock import required_lock
from .outdated import check_origin
from .verify import verify

Gate = Callable[[Declaration, ExitStack], Callable[[], Report]]
"""Starts a gate, which may work in processes that end with the stack, and returns the function for its report."""


def _check_mirror(declaration: Declaration) -> Report:
    tag = required_lock(declaration).tag.name
    summary = f"{declaration.path} and its patches at {tag}: files, index and last commit compared"
    return Report.of("mirror", verify(declaration), summary)


def _check_origin(declaration: Declaration) -> Report:
    return Report.of("origin", check_origin(declaration), f"the pinned tag compared with {declaration.url}")


GATES: Mapping[str, Gate] = {
    "mirror": lambda declaration, _: partial(_check_mirror, declaration),
    "origin": lambda declaration, _: partial(_check_origin, declaration),
    "entry": lambda declaration, _: partial(check_entry, declaration),
    "boundary": lambda declaration, stack: stack.enter_context(BoundaryCheck(declaration)).report,
    "contract": lambda declaration, stack: stack.enter_context(ContractCheck(declaration)).report,
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
                reports[name] = _failed(name, error, selected=name in selected)
        for name in (name for name in names if name in steps):
            try:
                reports[name] = steps[name]()
            except (ToolError, OSError) as error:
                reports[name] = _failed(name, error, selected=name in selected)
    return Report(
        "gates",
        sort_findings(finding for report in reports.values() for finding in report.findings),
        {key: text for name in names for key, text in reports[name].checks.items()},
        {key: text for name in names for key, text in reports[name].unchecked.items()},
    )


def _failed(name: str, error: ToolError | OSError, *, selected: bool) -> Report:
    """Return the report of a gate that could not run, or for which nothing is declared."""
    if isinstance(error, NotDeclaredError) and not selected:
        return Report(name, checks={name: f"passed over: {error.message}"})
    hint = f" ({error.hint})" if isinstance(error, ToolError) and error.hint else ""
    return Report(name, unchecked={name: f"{error}{hint}"})
