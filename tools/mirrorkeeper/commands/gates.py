"""Command `gates`."""

from __future__ import annotations

import click

from ..gates import GATES, projects_of, run_all_gates
from ..system.collection import without_collection
from .context import finish, output_option
from .invocation import Invocation
from .printing import say


@click.command()
@click.option("--select", multiple=True, type=click.Choice(list(GATES)), help="Only this gate; may be repeated.")
@output_option
@click.pass_context
def gates(ctx: click.Context, select: tuple[str, ...], output_format: str) -> None:
    """Run every gate: mirror, origin, patches, entry, boundary, contract.

    With several mirrors, the gates of each run.

    The origin gate asks the upstream; without a network it could not check.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    from ..mirror.workspace.pending import recover_pending

    project = ctx.ensure_object(Invocation).project()
    for one in projects_of(project):
        recover_pending(one, say)
    with without_collection():
        report = run_all_gates(project, select)
    finish(ctx, report, output_format)
