"""`poolkeeper usage summary`: requests, tokens and cost by day."""

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.usage.figures import cells, days_option, period, print_gaps, read_summary
from extension.usage.calendar import local, zone_of

_COLUMNS = (Column("Day"), Column("Requests"), Column("Failed"), Column("Tokens"), Column("Cost"))


@command("summary")
@days_option
@option("--zone", default="UTC", show_default=True, metavar="ZONE", help="Time zone, such as Asia/Shanghai or +08:00.")
@json_option
@connection_options
def summary(*, days: int, zone: str, connection: ServiceConnection, as_json: bool) -> None:
    """Show requests, tokens and cost by day.

    Times in which records may be missing are listed below.
    """
    with connection.open() as service:
        found = read_summary(service, {**period(days), "step": "day", "zone": zone})
    if as_json:
        print_json(found)
        return
    place = zone_of(zone)
    rows = [Row([f"{local(part['start'], place):%Y-%m-%d}", *cells(part["figures"])]) for part in found["series"]]
    print_columns(_COLUMNS, [*rows, Row(["Total", *cells(found["totals"])])])
    print_gaps(found)
