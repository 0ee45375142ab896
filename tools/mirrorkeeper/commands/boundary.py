"""Command `boundary`."""

from __future__ import annotations

import click

from .context import finish, output_option
from .invocation import Invocation
from .printing import say


@click.command()
@click.option("--prune", is_flag=True, help="Remove unused names from the list of used names.")
@output_option
@click.pass_context
def boundary(ctx: click.Context, output_format: str, *, prune: bool) -> None:
    """Find every import of the mirrored package outside of its importers, and every name of it used without a reason.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    from ..boundary.languages import boundary_of
    from ..system.files import DiskFiles

    project = ctx.ensure_object(Invocation).project()
    if prune:
        from ..patch.release.settling import settle_refresh

        settle_refresh(project, say)
    check = boundary_of(project)
    finish(ctx, check.prune(DiskFiles()) if prune else check.report(), output_format)
