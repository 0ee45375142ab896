"""Command `upstream`."""

from __future__ import annotations

from pathlib import Path

import click

from ..tool_name import TOOL
from .invocation import Invocation
from .printing import say


@click.group(no_args_is_help=True)
def upstream() -> None:
    """Work on an upstream whose history is kept as bundles, one immutable file a release."""


@upstream.command(name="open", short_help="Make a working repository of all releases.")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.pass_obj
def open_(invocation: Invocation, folder: Path) -> None:
    """Make a working repository in DIR, with all published releases and the release branch checked out."""
    from ..upstream.opening import open_upstream

    say(open_upstream(invocation.project(), folder))


@upstream.command(short_help="Publish the commits of one as the next release.")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--version", metavar="X.Y.Z", help="The release's version; without it the next patch number.")
@click.pass_obj
def publish(invocation: Invocation, folder: Path, version: str | None) -> None:
    """Publish the commits on DIR's release branch as the next release.

    Rebases them on the newest release when they are not, tags them, and adds one bundle; no older bundle is touched.
    """
    from ..system.files import DiskFiles
    from ..upstream.publishing import Publication

    tag = Publication(invocation.project(), DiskFiles(), say).run(folder, version)
    say(f"next: {TOOL} mirror sync {tag}")
