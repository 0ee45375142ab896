"""Commands `init` and `schema`."""

from __future__ import annotations

import click

from ..tool_name import TOOL
from .invocation import Invocation
from .printing import say


@click.command()
@click.option("--url", required=True, metavar="URL", help="The upstream: anything git can fetch from.")
@click.option("--path", default="upstream", show_default=True, metavar="DIR", help="The folder to mirror it into.")
@click.option("--track", default="v*", show_default=True, metavar="PATTERN", help="The release tags.")
@click.pass_obj
def init(invocation: Invocation, url: str, path: str, track: str) -> None:
    """Write a first declaration, and the attributes that keep git from converting mirrored files.

    Nothing is fetched. Exit status: 0 done, 2 could not do it.
    """
    from ..declaration.first_declaration import FirstDeclaration, write_first_declaration
    from ..system.files import DiskFiles

    written = write_first_declaration(invocation.project(), DiskFiles(), FirstDeclaration(url, path, track))
    say(f"written: {', '.join(written)}")
    say(f"next: {TOOL} mirror sync {track.replace('*', 'VERSION')}")


@click.command()
def schema() -> None:
    """Print the JSON Schema of the declaration."""
    from ..declaration.json_schema import json_schema

    click.echo(json_schema(), nl=False)
