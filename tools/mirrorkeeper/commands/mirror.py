"""Command `mirror`."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import CLEAN, FINDINGS, ToolError
from ..project import Project
from .context import finish, output_option
from .invocation import Invocation
from .printing import say
from .quick import IGNORED, VerifyCall
from .sync import sync


@click.group(no_args_is_help=True)
def mirror() -> None:
    """Keep the mirrored tree equal to a pinned upstream release."""


mirror.add_command(sync)


@mirror.command(short_help="Find every difference to the pinned release.")
@click.option("--prove", is_flag=True, help="Rebuild the upstream's own tree and commit id, offline.")
@click.option("--strict", is_flag=True, help="Notes fail too: ignored files, line endings, uncommitted changes.")
@click.option("--bytes", "hashed", is_flag=True, help="Read every file, whatever git's records say of it.")
@click.option("--rev", "revision", metavar="REV", help="Judge this commit of the project instead of the working files.")
@click.option(
    "--ignored",
    type=click.Choice(IGNORED),
    default="report",
    help="Files that git ignores are noted (the default), fail, or are left out.",
)
@output_option
@click.pass_context
def verify(
    ctx: click.Context,
    output_format: str,
    revision: str | None,
    ignored: str,
    *,
    prove: bool,
    strict: bool,
    hashed: bool,
) -> None:
    """Find every byte, mode, link or file of the mirror that is not the pinned one.

    Files that git's records show as unchanged are not read again, unless --bytes or --prove ask for it.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    on = {"--prove": prove, "--strict": strict, "--bytes": hashed}
    switches = frozenset(name for name, given in on.items() if given)
    ctx.exit(VerifyCall(ctx.ensure_object(Invocation), switches, revision, output_format, ignored).run())


@mirror.command(short_help="Show pin, state, patches and newer releases.")
@click.pass_obj
def status(invocation: Invocation) -> None:
    """Show one screen: pin, state of the mirror, patches, newer releases, unfinished work.

    Exit status: 0 shown, 1 an interrupted synchronization cannot be settled, 2 the declaration cannot be read.
    """
    from ..declaration.declaration import read_declaration
    from ..mirror.diagnosis.status import status_lines
    from ..mirror.workspace.pending import recover_pending

    project = invocation.project()
    read_declaration(project)  # without it nothing is known, and that is said once
    unfinished = False
    try:
        recover_pending(project, say)
    except ToolError as error:
        unfinished = True
        click.echo(f"unfinished: {error.text}; {error.advice}")
    for line in status_lines(project):
        click.echo(line)
    raise click.exceptions.Exit(FINDINGS if unfinished else CLEAN)


@mirror.command(short_help="List newer releases and moved tags.")
@click.option("--source", metavar="PLACE", help="Look here: a clone, a bare repository, a bundle, a URL.")
@click.option("--offline", is_flag=True, help="Use no network.")
@click.option("--exit-code", "failing", is_flag=True, help="A newer release is status 1, not 0.")
@click.option("--forward", is_flag=True, help="Try the patches against the next releases; one that breaks is status 1.")
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="With --forward: try so many.")
@output_option
@click.pass_context
def outdated(
    ctx: click.Context,
    output_format: str,
    source: str | None,
    limit: int,
    *,
    offline: bool,
    failing: bool,
    forward: bool,
) -> None:
    """Look for newer releases, a tag that moved or is gone, and a rewritten history.

    With --forward, the patches are tried against the releases ahead; nothing is written.
    """
    from ..mirror.verify.releases.outdated import outdated as look

    project = _told(ctx.ensure_object(Invocation))
    if forward:
        from ..patch.forward import look_forward

        finish(ctx, look_forward(project, source, limit=limit, offline=offline), output_format)
    finish(ctx, look(project, source, offline=offline, failing=failing), output_format)


@mirror.command(short_help="Keep the text of one issue up to date.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--source", metavar="PLACE", help="Look here: a clone, a bare repository, a bundle, a URL.")
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="Try the patches against so many.")
@click.pass_obj
def watch(invocation: Invocation, folder: Path, source: str | None, limit: int) -> None:
    """Keep the text of one issue about newer releases in DIR: title.txt and body.txt.

    Prints `open`, `update` or `unchanged` with status 1, or `close` or `none` with status 0 and without the files.
    Status 2: could not look; the files stay.
    """
    from ..report.watch import watch as look

    standing = look(invocation.project(), folder, source, limit)
    click.echo(standing.word)
    raise click.exceptions.Exit(standing.status)


@mirror.command(short_help="Show the changes of patches or releases.")
@click.argument("releases", required=False, metavar="[OLD..NEW|NEW]")
@click.option("--source", metavar="PLACE", help="Fetch from here: a clone, a bare repository, a bundle, a URL.")
@click.option("--stat", "style", flag_value="stat", default="stat", help="Files and how much of each (the default).")
@click.option("--name-status", "style", flag_value="name-status", help="Files, and the kind of change of each.")
@click.option("--patch", "style", flag_value="patch", help="The whole difference.")
@click.pass_obj
def diff(invocation: Invocation, releases: str | None, source: str | None, style: str) -> None:
    """Show the changes of the patches, of one release against another, or of NEW against the pinned one."""
    from ..mirror.diagnosis.release_diff import compare_releases

    text = compare_releases(_told(invocation), releases, style, source)
    click.echo(text, nl=False)
    if not text:
        say("no difference")


def _told(invocation: Invocation) -> Project:
    """Return the project, with a note of an interrupted synchronization on standard error."""
    from ..mirror.workspace.pending import tell_pending

    project = invocation.project()
    tell_pending(project, say)
    return project


@mirror.command(short_help="Explain a code of a finding, or a path.")
@click.argument("what", metavar="PATH|CODE")
@click.pass_obj
def explain(invocation: Invocation, what: str) -> None:
    """Explain a code of a finding, or a path: its blob, its patch, the reason for a finding."""
    from ..mirror.diagnosis.explain import explain as lines_about

    for line in lines_about(invocation.project(), what):
        click.echo(line)


@mirror.command(short_help="Look for settings that could mislead git or people.")
@output_option
@click.pass_context
def doctor(ctx: click.Context, output_format: str) -> None:
    """Look at the surroundings: git's version, filters, attributes, the file system, leftovers. Changes nothing."""
    from ..mirror.diagnosis.doctor import doctor as look

    finish(ctx, look(ctx.ensure_object(Invocation).project()), output_format)
