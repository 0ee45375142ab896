"""The list of the mirrored package's names in use: one table a module, one line a name, with its reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ..declaration.used_names import Symbol
from ..findings import Finding
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


def compare(used: Mapping[Symbol, tuple[str, int]], listed: Mapping[Symbol, str], shown: str) -> Iterator[Finding]:
    """Yield a finding for every name used and not listed, listed and not used, or listed without a reason.

    Args:
        used: for each symbol the path and line of one place it is used at.
        listed: for each symbol its reason.
        shown: the list's path.
    """
    for symbol in sorted(used.keys() - listed.keys()):
        path, line = used[symbol]
        fix = f'use a name that is listed, or add {symbol.name} = "the reason" below ["{symbol.module}"] in {shown}'
        yield Finding("IMP005", raw_path(path), f"uses {symbol}, which is not in {shown}", fix, line)
    for symbol in sorted(listed.keys() - used.keys()):
        yield Finding("IMP006", raw_path(shown), f"lists {symbol}, which is no longer used", PRUNE)
    for symbol in sorted(symbol for symbol in used.keys() & listed.keys() if not listed[symbol]):
        yield Finding("IMP007", raw_path(shown), f"gives no reason for {symbol}", "say why no other way will do")


def pruned(listed: Mapping[Symbol, str], used: Collection[Symbol]) -> dict[Symbol, str]:
    """Return the list without the names that are no longer used."""
    return {symbol: reason for symbol, reason in listed.items() if symbol in used}
