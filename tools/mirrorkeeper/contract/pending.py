"""The list of rows that do not exist yet. It may only shrink, and every entry has a reason."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..errors import ToolError
from ..findings import Finding
from ..project import Project
from ..toml.table import loads


@dataclass(frozen=True)
class Pending:
    """Both lists, each entry with its reason.

    Attributes:
        unmounted: names of own paths that are not mounted yet.
        awaited: endpoints, as `METHOD /path`, that the mirrored release does not have yet.
    """

    unmounted: Mapping[str, str] = field(default_factory=dict)
    awaited: Mapping[str, str] = field(default_factory=dict)

    @property
    def entries(self) -> frozenset[str]:
        """All entries of both lists."""
        return frozenset({*self.unmounted, *self.awaited})


def parse_pending(text: str, shown: str) -> Pending:
    """Read the lists.

    Raises:
        ToolError: it is not TOML with these two tables of texts, or an entry has no reason.
    """
    try:
        data = loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ToolError(f"{shown} is not valid TOML: {error}", "correct it, then run the gates again") from error
    lists = {"unmounted": data.pop("unmounted", {}), "awaited": data.pop("awaited", {})}
    if data:
        raise ToolError(f"{shown}: unknown table [{next(iter(data))}]", "there are [unmounted] and [awaited]")
    for name, listed in lists.items():
        if not isinstance(listed, dict):
            raise ToolError(f"{shown}: `{name}` must be a table", f'write [{name}], then lines: "entry" = "the reason"')
        for entry, reason in listed.items():
            if not isinstance(reason, str) or not reason.strip():
                raise ToolError(f"{shown} [{name}]: {entry!r} has no reason", f'write: "{entry}" = "the reason"')
    return Pending(**lists)


def growth_findings(project: Project, shown: str, pending: Pending) -> Iterator[Finding]:
    """A finding for every entry that some recorded version of the list did not have: it came in later.

    Outside of git, or where history was not fetched, there is nothing to compare with.
    """
    if project.prefix is None:
        return
    entries = set(pending.entries)
    for commit in project.git.run("log", "--format=%H", "--", shown, check=False).text.split():
        before = _recorded(project, commit, shown)
        for entry in sorted(entries - before) if before is not None else ():
            text = f"lists {entry}, which it did not in commit {commit[:12]}"
            yield Finding("CON011", shown.encode(), text, "implement the listed row, or remove it from the tables")
            entries.discard(entry)


def _recorded(project: Project, commit: str, shown: str) -> frozenset[str] | None:
    """The entries of a recorded version; None when there was none that can be read."""
    answer = project.git.run("show", f"{commit}:{project.prefix}{shown}", check=False)
    if answer.status != 0:
        return None
    try:
        return parse_pending(answer.stdout.decode("utf-8", "replace"), shown).entries
    except ToolError:
        return None
