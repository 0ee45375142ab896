"""Commands `mirror`, `patch` and `upstream`."""

from pathlib import Path

import click

from .declaration import read_declaration
from .findings import Report
from .report import FORMATS, show


def say(line: str) -> None:
    """Print a line for people, on standard error."""
    click.echo(line, err=True)


def finish(context: click.Context, report: Report, output_format: str) -> None:
    """Print a report and end with its status."""
    show(report, output_format)
    context.exit(report.status)


output_option = click.option(
    "--output-format", type=click.Choice(FORMATS), default="text", show_default=True, help="Form of the report."
)
_source_option = click.option("--source", metavar="PLACE", help="Fetch from here: a clone, a bundle, a URL.")
_DIFF_STYLES = click.Choice(("stat", "name-status", "patch"))


@click.group(no_args_is_help=True)
def mirror() -> None:
    """Keep the mirrored tree equal to a pinned upstream release, but for the patches."""


@mirror.command(short_help="Show pin, state, patches and newer releases.")
@click.pass_obj
def status(folder: Path) -> None:
    """Show one screen: pin, state of the mirror, patches, newer releases, open work."""
    from .outdated import status_lines

    for line in status_lines(read_declaration(folder)):
        click.echo(line)


@mirror.command(short_help="Find every difference to the pinned release.")
@output_option
@click.pass_context
def verify(context: click.Context, output_format: str) -> None:
    """Rebuild the pinned release with its patches; compare it with the working files, the index and the last commit.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    from .verify import verify as look

    findings = look(read_declaration(context.obj))
    finish(context, Report.of("mirror verify", findings, "mirror, patches and lock against the release"), output_format)


@mirror.command(short_help="Bring the mirror to a release, patches applied.")
@click.argument("tag", required=False)
@_source_option
@click.option("--refresh", is_flag=True, help="Rewrite patches that apply elsewhere; pause at real conflicts.")
@click.option("--continue", "go_on", is_flag=True, help="Take up the synchronization that waits for you.")
@click.option("--abort", is_flag=True, help="Give up the open or interrupted work.")
@click.option("--discard", is_flag=True, help="Overwrite changes in the mirrored folder.")
@click.option("--accept-moved-tag", is_flag=True, help="Take a tag that names another commit than when it was pinned.")
@click.option("--dry-run", is_flag=True, help="Change nothing.")
@click.pass_obj
def sync(folder: Path, /, tag: str | None, source: str | None, *, go_on: bool, abort: bool, **flags: bool) -> None:
    """Bring the mirror to the release TAG; without TAG to the pinned one, or to the newest where none is pinned.

    A patch that does not apply fails the whole synchronization and leaves everything as it was (status 3).
    """
    from . import sync as synchronization

    if go_on + abort + bool(tag) > 1:
        raise click.UsageError("--continue and --abort stand alone")
    declaration = read_declaration(folder)
    if abort:
        synchronization.abort(declaration, say)
    elif go_on:
        synchronization.go_on(declaration, "sync", say)
    else:
        options = synchronization.Options(tag, source, **flags)
        synchronization.sync(declaration, options, say)


@mirror.command(short_help="List newer releases and moved tags.")
@_source_option
@click.option("--pre", is_flag=True, help="Pre-releases count, too.")
@click.option("--forward", is_flag=True, help="Try the patches on the next releases; one that breaks is status 1.")
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="With --forward: so many of them.")
@output_option
@click.pass_context
def outdated(
    context: click.Context, source: str | None, limit: int, output_format: str, *, pre: bool, forward: bool
) -> None:
    """Look for newer releases, and for a pinned tag that moved or is gone. Changes nothing."""
    from .outdated import outdated as look

    tries = limit if forward else 0
    findings = look(read_declaration(context.obj), say, source=source, prereleases=pre, forward=tries)
    finish(context, Report.of("mirror outdated", findings, "releases of the upstream"), output_format)


@mirror.command(short_help="Show the changes of patches or releases.")
@click.argument("releases", required=False, metavar="[OLD..NEW|NEW]")
@_source_option
@click.option("--style", type=_DIFF_STYLES, default="stat", show_default=True, help="How much of the difference.")
@click.pass_obj
def diff(folder: Path, releases: str | None, source: str | None, style: str) -> None:
    """Show the changes of the patches, or one release against another, or NEW against the pinned one."""
    from .outdated import differences

    click.echo(differences(read_declaration(folder), releases, style, source, say) or "no difference")


@click.group(no_args_is_help=True)
def patch() -> None:
    """Keep the declared differences to the upstream, each a `git format-patch` file with its reason."""


@patch.command(name="list", short_help="List the patches, each with its reason.")
@click.pass_obj
def list_(folder: Path) -> None:
    """List the patches in the order they are applied, each with why it is there and when it may go."""
    from .patches import patch_lines

    for line in patch_lines(read_declaration(folder)):
        click.echo(line)


@patch.command(short_help="Begin a patch after all others.")
@click.argument("name")
@click.option("--why", required=True, metavar="TEXT", help="Why it is there.")
@click.option("--drop-when", required=True, metavar="TEXT", help="When it may go.")
@click.pass_obj
def new(folder: Path, name: str, why: str, drop_when: str) -> None:
    """Open a folder to make the change of the patch NAME in; `patch refresh` takes it in."""
    from .patches import new as begin

    begin(read_declaration(folder), name, (why, drop_when), say)


@patch.command(short_help="Open a folder to change a patch in.")
@click.argument("name")
@click.pass_obj
def edit(folder: Path, name: str) -> None:
    """Open a folder with the patch NAME in its files; `patch refresh` takes the change in."""
    from .patches import edit as begin

    begin(read_declaration(folder), name, say)


@patch.command(short_help="Take in an open edit, or make all patches anew.")
@click.pass_obj
def refresh(folder: Path) -> None:
    """Take in the open edit and make the patches behind it anew; without one make all anew at the pinned release."""
    from .patches import refresh as take_in

    take_in(read_declaration(folder), say)


@patch.command()
@click.argument("name")
@click.pass_obj
def drop(folder: Path, name: str) -> None:
    """Remove the patch NAME; where a synchronization stopped at it, go on without it."""
    from .patches import drop as remove

    remove(read_declaration(folder), name, say)


@patch.command(name="import", short_help="Take over a folder of patches, or a mailbox.")
@click.argument("place", metavar="DIR|MBOX", type=click.Path(path_type=Path))
@click.pass_obj
def import_(folder: Path, place: Path) -> None:
    """Take over `git format-patch` files behind the patches that are there; a file `series` gives their order."""
    from .patches import take_over

    take_over(read_declaration(folder), place, say)


@click.group(no_args_is_help=True)
def upstream() -> None:
    """Work on an upstream whose history is kept as bundles, one immutable file a release."""


@upstream.command(name="open", short_help="Make a working repository of all releases.")
@click.argument("target", type=click.Path(path_type=Path), metavar="DIR")
@click.pass_obj
def open_(folder: Path, target: Path) -> None:
    """Make a working repository in DIR, with all published releases and the release branch checked out."""
    from .upstream import open_upstream

    say(open_upstream(read_declaration(folder), target))


@upstream.command(short_help="Publish the commits of one as the next release.")
@click.argument("target", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--version", metavar="X.Y.Z", help="The release's version; without it the next patch number.")
@click.pass_obj
def publish(folder: Path, target: Path, version: str | None) -> None:
    """Publish the commits on DIR's release branch as the next release: one new bundle, no older one is touched.

    They are rebased on the newest release when they are not, and tagged.
    """
    from .upstream import publish as put

    tag = put(read_declaration(folder), target, version, say)
    say(f"next: python -m tools mirror sync {tag}")
