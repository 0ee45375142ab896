"""Command `contract`."""

from __future__ import annotations

from pathlib import Path

import click

from .context import finish, output_option
from .invocation import Invocation
from .printing import say

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.option("--tree", type=_FOLDER, metavar="DIR", help="Judge this tree of the gateway, not the mirrored one.")
@click.option("--go-source", type=_FOLDER, metavar="GITDIR", help="Judge a gateway written in Go, by its repository.")
@click.option("--ref", metavar="TAG", help="With --go-source: this release; default: the newest.")
@click.option("--history", metavar="PATTERN", help="With --go-source: in which of these releases each row exists.")
@output_option
@click.pass_context
def contract(
    ctx: click.Context,
    *,
    tree: Path | None,
    go_source: Path | None,
    ref: str | None,
    history: str | None,
    output_format: str,
) -> None:
    """Compare the endpoints and configuration keys in use with those a gateway offers.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    project = ctx.ensure_object(Invocation).project()
    if go_source is None:
        if ref or history:
            raise click.UsageError("--ref and --history need --go-source")
        from ..contract.check import Contract

        report = Contract(project, tree).report()
    else:
        if tree or (ref and history):
            raise click.UsageError("choose one of --tree, --ref and --history")
        from ..contract.foreign import foreign_history, foreign_report

        report = (
            foreign_history(project, go_source, history, say) if history else foreign_report(project, go_source, ref)
        )
    finish(ctx, report, output_format)
