"""`poolkeeper usage import`: take in an export."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.text import counted, print_json
from extension.cli.parsing.declarations import command, json_option

_MOST_BYTES = 900_000
"""Bytes of one request, below the service's limit of a body."""


def parts(lines: Iterable[bytes], most: int = _MOST_BYTES) -> Iterator[bytes]:
    """Join lines to pieces of at most that many bytes; a longer line is a piece of its own."""
    piece = bytearray()
    for line in lines:
        if piece and len(piece) + len(line) > most:
            yield bytes(piece)
            piece.clear()
        piece += line
    if piece:
        yield bytes(piece)


@command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
@connection_options
def import_file(*, file: Path, connection: ServiceConnection, as_json: bool) -> None:
    """Take in an export in JSON lines.

    Events that are stored already stay as they are. Those from before the oldest event that is kept are left out.
    """
    stored = duplicates = too_old = 0
    with connection.open() as service, file.open("rb") as source:
        for part in parts(source):
            answer = service.client.post_text(service.paths.part("usage/import"), part)
            stored += answer["stored"]
            duplicates += answer["duplicates"]
            too_old += answer["tooOld"]
    if as_json:
        print_json({"stored": stored, "duplicates": duplicates, "tooOld": too_old})
        return
    click.echo(f"{counted(stored, 'event')} imported, {duplicates:,} stored before.")
    if too_old:
        click.echo(f"{counted(too_old, 'event')} left out: older than the events that are kept, and maybe counted.")
