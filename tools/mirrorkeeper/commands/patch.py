"""Command `patch`."""

from __future__ import annotations

import click

from ..patch.head import Reasons
from ..patch.onward import next_command
from ..patch.work import PatchWork
from ..project import Project
from ..system.files import DiskFiles
from ..tool_name import TOOL
from .context import finish, output_option
from .invocation import Invocation
from .printing import say

_SYNC = f"{TOOL} mirror sync"


@click.group(no_args_is_help=True)
def patch() -> None:
    """Keep the declared differences to the upstream, each with the reason it is there."""


@patch.command(name="list", short_help="List the patches, each with its reason.")
@click.pass_obj
def list_(invocation: Invocation) -> None:
    """List the patches in the order they are applied, each with why it is there and when it may go."""
    from ..patch.show import patch_lines

    for line in patch_lines(_reading(invocation)):
        click.echo(line)


@patch.command()
@click.argument("name")
@click.pass_obj
def show(invocation: Invocation, name: str) -> None:
    """Show one patch: its head, the files it touches, its text."""
    from ..patch.show import patch_text

    click.echo(patch_text(_reading(invocation), name), nl=False)


@patch.command(short_help="Begin a patch after all others.")
@click.argument("name")
@click.option("--why", required=True, metavar="TEXT", help="Why it is there.")
@click.option("--drop-when", default="", metavar="TEXT", help="When it may go.")
@click.option("--forwarded", default="", metavar="TEXT", help="Where it was sent upstream; or no, not-needed.")
@click.option("--from-mirror", is_flag=True, help="Take the changes that lie in the mirrored folder now.")
@click.pass_obj
def new(invocation: Invocation, name: str, why: str, drop_when: str, forwarded: str, *, from_mirror: bool) -> None:
    """Begin the patch NAME after all others: open a folder to make the change in, or take it from the mirror."""
    if not drop_when and not forwarded:
        raise click.UsageError("a patch has to say when it may go (--drop-when) or where it was sent (--forwarded)")
    work = _writing(invocation)
    written = work.new(name, Reasons(why, drop_when, forwarded), from_mirror=from_mirror)
    if from_mirror:
        say(f"written: {', '.join(written)}")
        say(f"next: {_SYNC}")


@patch.command(short_help="Open a folder to change a patch in.")
@click.argument("name")
@click.option("--again", is_flag=True, help="Discard the edit, and begin again.")
@click.pass_obj
def edit(invocation: Invocation, name: str, *, again: bool) -> None:
    """Open a folder with the patch NAME in its files, for the paused release or else the pinned one."""
    _writing(invocation).edit(name, again=again)


@patch.command(short_help="Refresh all patches, or up to one; take in open edits.")
@click.argument("name", required=False)
@click.option("--check", is_flag=True, help="Write nothing; fail when a patch file differs from a refreshed one.")
@output_option
@click.pass_context
def refresh(ctx: click.Context, name: str | None, output_format: str, *, check: bool) -> None:
    """Make all patches anew for the paused release, or else the pinned one; open edits are taken in.

    With NAME, only that patch and those before it are made anew, so that patches that conflict in the same release
    are settled one after the other. Nothing is written unless each of them can be made. Exit status: 0 done, 1 --check
    found a stale one, 2 could not do it, 3 a patch needs a person.
    """
    if check and name is not None:
        raise click.UsageError("--check compares all patches; leave the name out")
    invocation = ctx.ensure_object(Invocation)
    if check:
        finish(ctx, PatchWork(_reading(invocation), DiskFiles(), say).check(), output_format)
        return
    work = _writing(invocation)
    _tell(work, work.refresh(name))


@patch.command()
@click.argument("name")
@click.pass_obj
def drop(invocation: Invocation, name: str) -> None:
    """Remove the patch NAME from list and folder, or give up one that was begun."""
    work = _writing(invocation)
    say(f"dropped {work.drop(name)}")
    say(f"next: {next_command(work.project, DiskFiles())}")


@patch.command(short_help="Apply the patches in another order.")
@click.argument("names", nargs=-1)
@click.option(
    "--independent", is_flag=True, help="Change nothing; list patches that apply alone, and dependencies of the others."
)
@click.pass_obj
def reorder(invocation: Invocation, names: tuple[str, ...], *, independent: bool) -> None:
    """Apply the patches in the order NAMES, every one named once, and make them anew for it."""
    if bool(names) == independent:
        raise click.UsageError("name every patch once in the new order, or ask with --independent what order allows")
    if independent:
        for standing in PatchWork(_reading(invocation), DiskFiles(), say).standings():
            click.echo(standing.line)
        return
    work = _writing(invocation)
    changed = work.reorder(names)
    say(f"order: {', '.join(PatchWork(invocation.project(), DiskFiles(), say).order)}")
    _tell(work, changed)


def _writing(invocation: Invocation) -> PatchWork:
    """The work on patches, once a synchronization that was interrupted while it made them anew is settled."""
    from ..declaration.declaration import read_declaration
    from ..declaration.separate_folders import refuse_overlap
    from ..patch.release.settling import settle_refresh

    project = invocation.project()
    refuse_overlap(project, read_declaration(project))
    settle_refresh(project, say)
    return PatchWork(project, DiskFiles(), say)


def _reading(invocation: Invocation) -> Project:
    """The project, with a note of an interrupted synchronization of it."""
    from ..mirror.workspace.pending import tell_pending

    project = invocation.project()
    tell_pending(project, say)
    return project


def _tell(work: PatchWork, changed: tuple[str, ...]) -> None:
    say(f"written: {', '.join(changed)}" if changed else "every patch file is as it would be written")
    still_open = work.workspace.edits()
    if still_open:
        say(f"still open: {', '.join(still_open)}")
    say(f"next: {next_command(work.project, DiskFiles())}")
