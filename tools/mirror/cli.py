"""The command line: one program for mirror, patches, entry, boundary, contract and gates.

Every command loads its modules when it is called, so that each starts quickly. Every error becomes a line with its next
step and an exit status.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from .checks import boundary, contract, entry, gates
from .commands import mirror, patch, upstream
from .errors import NOT_DONE, ToolError

More = Mapping[str, tuple[str, Callable[[], click.Command]]]
"""Commands: for each name its line in the help, and a function that loads it."""


COMMANDS: More = {
    "mirror": ("Bring the mirror to a release; find every difference to it.", lambda: mirror),
    "patch": ("Make, edit, refresh and drop the declared patches.", lambda: patch),
    "upstream": ("Open the upstream to work on it; publish a release.", lambda: upstream),
    "entry": ("Generate the entry point from the mirrored one.", lambda: entry),
    "boundary": ("Find imports of the mirrored package that are not allowed.", lambda: boundary),
    "contract": ("Compare what the code relies on with what the gateway offers.", lambda: contract),
    "gates": ("Run every gate: one report, one exit status.", lambda: gates),
}


class LazyGroup(click.Group):
    """Group whose commands are imported when they are called."""

    rows: More = COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the tables."""
        del ctx
        return list(self.rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it."""
        del ctx
        return self.rows[cmd_name][1]() if cmd_name in self.rows else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands without importing any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (summary, _) in self.rows.items()])


@click.group(cls=LazyGroup)
@click.option(
    "-C",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=".",
    help="The project's folder; default: the current one.",
)
@click.pass_context
def program(context: click.Context, folder: Path) -> None:
    """Tools for keeping a fork of an upstream in order.

    Exit status: 0 clean, 1 findings, 2 could not do it, 3 a patch does not apply.
    """
    context.obj = folder.resolve()


def program_with(more: More) -> click.Group:
    """Return the program with commands of the project around the tools."""
    if isinstance(program, LazyGroup):
        program.rows = {**COMMANDS, **more}
    return program


def main(arguments: Sequence[str] | None = None, more: More | None = None) -> int:
    """Run these words, by default those of this process, with `more` commands, and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = program_with(more or {}).main(
            args=None if arguments is None else list(arguments), prog_name="python -m tools", standalone_mode=False
        )
    except ToolError as error:
        lines = [f"error: {error.message}", *(f"  {line}" for line in error.details)]
        click.echo("\n".join([*lines, *([f"help: {error.hint}"] if error.hint else [])]), err=True)
        return error.status
    except click.exceptions.Abort:
        click.echo("error: interrupted", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except OSError as error:
        click.echo(f"error: {error}\nhelp: mend that, then run the command again", err=True)
        return NOT_DONE
    return status if isinstance(status, int) else 0
