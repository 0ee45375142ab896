"""`poolkeeper usage import`: take in an export."""

from pathlib import Path

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.text import counted, print_json
from extension.cli.parsing.declarations import command, json_option

_LINES = 5_000


@command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
@connection_options
def import_file(*, file: Path, connection: ServiceConnection, as_json: bool) -> None:
    """Take in an export in JSON lines.

    Events that are stored already stay as they are.
    """
    stored = duplicates = 0
    with connection.open() as service, file.open("rb") as source:
        while lines := [line for _, line in zip(range(_LINES), source, strict=False)]:
            answer = service.client.post_text(service.paths.part("usage/import"), b"".join(lines))
            stored += answer["stored"]
            duplicates += answer["duplicates"]
    if as_json:
        print_json({"stored": stored, "duplicates": duplicates})
        return
    click.echo(f"{counted(stored, 'event')} imported, {duplicates:,} stored before.")
