"""`poolkeeper audit`: requests to change something in a fleet, refused ones too."""

from datetime import UTC
from typing import Any

import click

from adapter.contract.expectations import MANAGEMENT
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_export, print_json, shown_time
from extension.cli.parsing.declarations import command, json_option, option

_OUTCOMES = click.Choice(("begun", "done", "accepted", "failed", "refused"))


@command("audit")
@option("--operator", default="", help="Only requests of this operator.")
@option("--on", "on_gateway", default="", metavar="GATEWAY", help="Only requests about this gateway.")
@option("--path", default="", help="Only requests whose path contains this.")
@option("--outcome", type=_OUTCOMES, help="Only requests with this outcome.")
@option("--since", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]), help="Only requests since this time, UTC.")
@option("--limit", type=click.IntRange(1, 500), default=50, help="Most requests.")
@option("--before", type=click.IntRange(min=1), help="Only requests with smaller numbers: the next page.")
@option("--export", "file_format", type=click.Choice(("csv", "jsonl")), help="Print all of them in this format.")
@json_option
@connection_options
def audit(*, connection: ServiceConnection, file_format: str | None, as_json: bool, **conditions: Any) -> None:
    """Show and export who changed what in a fleet.

    An outcome of "begun" means that a request is under way, or that its process ended in between.
    """
    since = conditions.pop("since")
    milliseconds = round(since.replace(tzinfo=UTC).timestamp() * 1000) if since else None
    query = {"gateway": conditions.pop("on_gateway"), "since": milliseconds, **conditions}
    query = {name: value for name, value in query.items() if value}
    with connection.open() as service:
        if file_format is not None:
            query = {name: value for name, value in query.items() if name not in {"limit", "before"}}
            path = service.paths.part("fleet/audit/export")
            print_export(service.client.text(path, {**query, "format": file_format}))
            return
        answer = service.client.get(service.paths.part("fleet/audit"), query)
    if as_json:
        print_json(answer)
        return
    print_columns(
        tuple(map(Column, ("Time", "Operator", "From", "Gateway", "Request", "Outcome"))),
        [
            Row(
                (
                    shown_time(row["at"]),
                    plain(row["operator"] or "-"),
                    plain(row["address"] or "-"),
                    plain(row["pool"] or "-"),
                    plain(f"{row['method']} {row['path'].removeprefix(f'{MANAGEMENT}/')}".strip()),
                    plain(f"{row['outcome']} {row['code']}".strip()),
                ),
                plain(row["reason"]),
            )
            for row in answer["records"]
        ],
        "Reason",
    )
    if answer["next"] is not None:
        click.echo(f"Next page: --before {answer['next']}")
