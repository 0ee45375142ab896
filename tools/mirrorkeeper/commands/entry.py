"""Command `entry`."""

from __future__ import annotations

import click

from .context import finish, output_option
from .invocation import Invocation


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail when the entry is outdated.")
@output_option
@click.pass_context
def entry(ctx: click.Context, output_format: str, *, check: bool) -> None:
    """Generate the entry point from the mirrored one, by anchors that must each match exactly once."""
    from ..entry.generator import check_entry, write_entry
    from ..system.files import DiskFiles

    project = ctx.ensure_object(Invocation).project()
    finish(ctx, check_entry(project) if check else write_entry(project, DiskFiles()), output_format)
