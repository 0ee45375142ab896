"""Commands `entry`, `boundary`, `contract` and `gates`. Exit status: 0 clean, 1 findings, 2 could not check."""

from pathlib import Path

import click

from .boundary import BoundaryCheck
from .commands import finish, output_option
from .contract import ContractCheck
from .declaration import read_declaration
from .entry import check_entry, write_entry
from .gates import GATES, run_gates


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; any difference is a finding.")
@output_option
@click.pass_context
def entry(context: click.Context, output_format: str, *, check: bool) -> None:
    """Generate the entry point from the mirrored one, by anchors that each match exactly one statement."""
    declaration = read_declaration(context.obj)
    finish(context, check_entry(declaration) if check else write_entry(declaration), output_format)


@click.command()
@output_option
@click.pass_context
def boundary(context: click.Context, output_format: str) -> None:
    """Find imports of the mirrored package outside of its importers, names that are not listed, broken contracts."""
    with BoundaryCheck(read_declaration(context.obj)) as check:
        finish(context, check.report(), output_format)


@click.command()
@click.option("--tree", type=click.Path(path_type=Path), metavar="DIR", help="Judge this tree of the gateway.")
@output_option
@click.pass_context
def contract(context: click.Context, tree: Path | None, output_format: str) -> None:
    """Compare the endpoints and configuration keys in use with those a gateway offers."""
    with ContractCheck(read_declaration(context.obj), tree) as check:
        finish(context, check.report(), output_format)


@click.command()
@click.option("--select", "selected", multiple=True, type=click.Choice(list(GATES)), help="Only this gate; repeatable.")
@output_option
@click.pass_context
def gates(context: click.Context, selected: tuple[str, ...], output_format: str) -> None:
    """Run every gate: one report, one exit status."""
    finish(context, run_gates(read_declaration(context.obj), selected), output_format)
