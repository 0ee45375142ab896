"""A synchronisation as Markdown: the description of the change that commits it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..findings import Finding
from ..mirror.outcome import Outcome
from ..wording import counted, shown_path
from .markdown import code_span, plain

_RENAMES_SHOWN = 50


def as_description(outcome: Outcome, failing: Sequence[Finding]) -> str:
    """The outcome under headings, with what the gates find after it."""
    pin = outcome.pin
    lines = [f"### Mirror: {plain(outcome.line)}", ""]
    lines.append(f"Commit {code_span(pin.commit)} of {code_span(pin.url)}, tree {code_span(pin.final_tree)}.")
    lines.extend(_relied_on(outcome))
    lines.extend(_gates(failing))
    lines.extend(_commits(outcome))
    lines.extend(_patches(outcome))
    lines.extend(_renames(outcome))
    return "\n".join(lines) + "\n"


def _relied_on(outcome: Outcome) -> Iterator[str]:
    if outcome.relied_on:
        yield from ("", "#### Changed, and relied on", "")
        for path, why in sorted(outcome.relied_on.items()):
            yield f"- {code_span(shown_path(path))}: {plain(why)}"


def _gates(failing: Sequence[Finding]) -> Iterator[str]:
    if failing:
        yield from ("", "#### What the gates find", "")
        for one in failing:
            yield f"- {one.code} {code_span(one.shown_path)}: {plain(one.message)}; {plain(one.fix)}"


def _commits(outcome: Outcome) -> Iterator[str]:
    """Subjects as code, so that neither names nor numbers in them call anybody or anything of this repository."""
    log = outcome.shortlog
    if log.commits:
        yield from ("", f"#### {counted(log.commits, 'upstream commit')}", "")
        yield from (f"- {code_span(oid)} {code_span(subject)}" for oid, subject in log.newest)
        if log.commits > len(log.newest):
            yield f"- … and {log.commits - len(log.newest)} more"


def _patches(outcome: Outcome) -> Iterator[str]:
    states = list(outcome.patch_states())
    if states:
        yield from ("", "#### Patches", "", "| Patch | State | Why it is there |", "|---|---|---|")
        yield from (
            f"| {code_span(name)} | {state} | {plain(outcome.reasons.get(name, ''))} |" for name, state in states
        )


def _renames(outcome: Outcome) -> Iterator[str]:
    renamed = outcome.changes.renamed
    if renamed:
        yield from ("", "#### Renamed upstream", "")
        pairs = renamed[:_RENAMES_SHOWN]
        yield from (f"- {code_span(shown_path(before))} → {code_span(shown_path(after))}" for before, after in pairs)
        if len(renamed) > len(pairs):
            yield f"- … and {len(renamed) - len(pairs)} more"
