"""Command `mirror sync`."""

from __future__ import annotations

from dataclasses import replace

import click

from ..errors import ToolError
from ..findings import Report
from ..mirror.sync.sync_summary import SyncSummary
from ..tool_name import TOOL
from .invocation import Invocation
from .printing import say, saying_over, shown_progress, summarize

_SHOWN = 5


@click.command(short_help="Bring the mirror to a release, patches applied.")
@click.argument("release", required=False, metavar="[TAG|SHA]")
@click.option("--source", metavar="PLACE", help="Fetch from here: a clone, a bare repository, a bundle, a URL.")
@click.option("--dry-run", is_flag=True, help="Fetch, validate and patch, but change nothing.")
@click.option("--discard", is_flag=True, help="Overwrite local changes in the mirror.")
@click.option("--accept-moved-tag", is_flag=True, help="Take a tag that names another commit than when it was pinned.")
@click.option("--offline", is_flag=True, help="Use no network: the upstream, or --source, has to be on this machine.")
@click.option("--refresh", is_flag=True, help="Make patches anew that fit without a person; pause for the others.")
@click.option("--continue", "go_on", is_flag=True, help="Take up the synchronization that a patch stopped.")
@click.option("--abort", is_flag=True, help="Forget the synchronization that a patch stopped.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="With markdown, the summary goes to standard output, to describe the change with.",
)
@click.pass_obj
def sync(
    invocation: Invocation,
    release: str | None,
    source: str | None,
    *,
    dry_run: bool,
    discard: bool,
    accept_moved_tag: bool,
    offline: bool,
    refresh: bool,
    go_on: bool,
    abort: bool,
    output_format: str,
) -> None:
    """Bring the mirror to a release, patches applied; without one, take the pinned release again.

    Writes the mirrored folder, then the lock file, and stages exactly these two in git; nothing is committed. A patch
    that does not apply, or a tree that is hostile, leaves everything as it was. With --refresh, patches that apply at
    another place, merge without a conflict, or follow a renamed file are written anew for the release.

    Exit status: 0 done, 2 could not do it, 3 a patch needs a person.
    """
    from ..mirror.sync.sync import Synchronization
    from ..mirror.sync.sync_options import SyncOptions
    from ..patch.abort import abort_sync
    from ..patch.release.settling import settle_refresh
    from ..patch.unattended import sync_refreshing
    from ..system.files import DiskFiles

    if release == "":
        raise click.UsageError("an empty text names no release; leave it out to take the pinned one again")
    options = SyncOptions(release, source, dry_run, discard, accept_moved_tag, offline, refresh)
    if refresh and dry_run:
        advice = f"{TOOL} mirror outdated --forward tries the patches against the next releases, and writes nothing"
        raise ToolError("--refresh writes patches, and --dry-run writes nothing", advice)
    if (go_on or abort) and (replace(options, refresh=refresh and abort) != SyncOptions() or (go_on and abort)):
        raise click.UsageError("--continue and --abort stand alone, but for --refresh with --continue")
    with shown_progress() as progress:
        synchronization = Synchronization(invocation.project(), DiskFiles(), saying_over(progress), progress)
        interrupted = synchronization.interrupted_options() if go_on else None
        if not dry_run:
            settle_refresh(invocation.project(), saying_over(progress))
        if abort:
            abort_sync(invocation.project(), DiskFiles(), saying_over(progress))
        else:
            if go_on:
                paused = interrupted or synchronization.paused_options()
                options = replace(paused, refresh=paused.refresh or refresh)
            if options.refresh:
                sync_refreshing(invocation.project(), DiskFiles(), saying_over(progress), synchronization, options)
            else:
                synchronization.run(options)
    if synchronization.summary is not None:
        _describe(invocation, synchronization.summary, output_format, dry_run=dry_run)


def _describe(invocation: Invocation, summary: SyncSummary, output_format: str, *, dry_run: bool) -> None:
    """Print the findings of the gates for the new tree, and its description in the requested format."""
    from ..findings import Severity
    from ..gates import run_reading
    from ..report.sync_description import as_description

    report = Report("gates") if dry_run else run_reading(invocation.project())
    failing = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    for finding in failing[:_SHOWN]:
        say(f"{finding.shown_path}: {finding.code} {finding.message}; {finding.fix}")
    if len(failing) > _SHOWN:
        say(f"… and {len(failing) - _SHOWN} more, which the gates show")
    for text in report.unchecked:
        say(f"could not check {text}")
    description = as_description(summary, failing)
    if output_format == "markdown":
        click.echo(description, nl=False)
    if not dry_run:
        say(f"next: {TOOL} gates")
        summarize(description)
