"""The list of the mirrored package's names in use: one table a module, one line a name, with its reason."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.used_names import Symbol
from ..errors import ToolError
from ..findings import Finding
from ..modules import UNREAD
from ..text import raw_path
from ..tool_name import TOOL

PRUNE = f"{TOOL} boundary --prune"

HEAD = f"""\
# The names of the mirrored package in use, each with its reason. `{PRUNE}` removes names that
# are no longer used; a new one is added here first, with its reason.
"""


def list_text(listed: Mapping[Symbol, str]) -> str:
    """The list as text, in one fixed order."""
    lines = [HEAD]
    for module in sorted({symbol.module for symbol in listed}):
        lines.append(f'["{module}"]')
        names = sorted((symbol.name, reason) for symbol, reason in listed.items() if symbol.module == module)
        lines.extend(f"{name} = {_quoted(reason)}" for name, reason in names)
        lines.append("")
    return "\n".join(lines)


def _quoted(reason: str) -> str:
    return '"' + reason.replace("\\", "\\\\").replace('"', '\\"') + '"'


def compare(
    used: Mapping[Symbol, tuple[str, int]], listed: Mapping[Symbol, str], shown: str, *, whole: bool = True
) -> Iterator[Finding]:
    """Yield a finding for every name used and not listed, listed and not used, or listed without a reason.

    Args:
        used: for each symbol the path and line of one place it is used at.
        listed: for each symbol its reason.
        shown: the list's path.
        whole: whether every file was read; else a name that seems unused may be used in one that was not.
    """
    for symbol in sorted(used.keys() - listed.keys()):
        path, line = used[symbol]
        fix = f'use a name that is listed, or add {symbol.name} = "the reason" below ["{symbol.module}"] in {shown}'
        yield Finding("IMP005", raw_path(path), f"uses {symbol}, which is not in {shown}", fix, line)
    for symbol in sorted(listed.keys() - used.keys()) if whole else ():
        yield Finding("IMP006", raw_path(shown), f"lists {symbol}, which is no longer used", PRUNE)
    for symbol in sorted(symbol for symbol in used.keys() & listed.keys() if not listed[symbol]):
        yield Finding("IMP007", raw_path(shown), f"gives no reason for {symbol}", "say why no other way will do")


def all_judged(unread: Iterable[Finding], rules: BoundaryDeclaration) -> bool:
    """Return whether no file whose names have to be in the list is among those that were not judged."""
    return not any(one.code in UNREAD and rules.counts(os.fsdecode(one.path)) for one in unread)


def pruned(listed: Mapping[Symbol, str], used: Collection[Symbol], *, whole: bool = True) -> dict[Symbol, str]:
    """Return the list without the names that are no longer used.

    Raises:
        ToolError: some files were not read (not `whole`), and may use them.
    """
    if not whole:
        raise ToolError("a file that may use the names was not read; nothing was removed", f"{TOOL} boundary names it")
    return {symbol: reason for symbol, reason in listed.items() if symbol in used}
