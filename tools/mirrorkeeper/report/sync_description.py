"""A synchronization as Markdown: the description of the change that commits it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..findings import Finding
from ..mirror.sync.sync_summary import SyncSummary
from ..text import counted, shown_path
from .markdown import code_span, plain

_RENAMES_SHOWN = 50


def as_description(summary: SyncSummary, failing: Sequence[Finding]) -> str:
    """Return the summary under headings, with the findings of the gates after it."""
    pin = summary.pin
    lines = [f"### Mirror: {plain(summary.line)}", ""]
    lines.append(f"Commit {code_span(pin.commit)} of {code_span(pin.url)}, tree {code_span(pin.final_tree)}.")
    lines.extend(_relied_on(summary))
    lines.extend(_gates(failing))
    lines.extend(_commits(summary))
    lines.extend(_patches(summary))
    lines.extend(_renames(summary))
    return "\n".join(lines) + "\n"


def _relied_on(summary: SyncSummary) -> Iterator[str]:
    if summary.relied_on:
        yield from ("", "#### Changed, and relied on", "")
        for path, why in sorted(summary.relied_on.items()):
            yield f"- {code_span(shown_path(path))}: {plain(why)}"


def _gates(failing: Sequence[Finding]) -> Iterator[str]:
    if failing:
        yield from ("", "#### What the gates find", "")
        for one in failing:
            yield f"- {one.code} {code_span(one.shown_path)}: {plain(one.message)}; {plain(one.fix)}"


def _commits(summary: SyncSummary) -> Iterator[str]:
    """Subjects as code, so that neither names nor numbers in them call anybody or anything of this repository."""
    log = summary.shortlog
    if log.commits:
        yield from ("", f"#### {counted(log.commits, 'upstream commit')}", "")
        yield from (f"- {code_span(oid)} {code_span(subject)}" for oid, subject in log.newest)
        if log.commits > len(log.newest):
            yield f"- … and {log.commits - len(log.newest)} more"


def _patches(summary: SyncSummary) -> Iterator[str]:
    states = list(summary.patch_states())
    if states:
        yield from ("", "#### Patches", "", "| Patch | State | Why it is there |", "|---|---|---|")
        yield from (
            f"| {code_span(name)} | {state} | {plain(summary.reasons.get(name, ''))} |" for name, state in states
        )


def _renames(summary: SyncSummary) -> Iterator[str]:
    renamed = summary.changes.renamed
    if renamed:
        yield from ("", "#### Renamed upstream", "")
        pairs = renamed[:_RENAMES_SHOWN]
        yield from (f"- {code_span(shown_path(before))} → {code_span(shown_path(after))}" for before, after in pairs)
        if len(renamed) > len(pairs):
            yield f"- … and {len(renamed) - len(pairs)} more"
