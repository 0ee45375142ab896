"""All tables of the schema, whichever module declares them."""

from collections.abc import Mapping

from sqlalchemy import Table

from extension.store.schema.lease_tables import LEASES
from extension.store.schema.price_tables import MODEL_PRICES
from extension.store.schema.tables import METADATA
from extension.store.schema.usage_day_tables import USAGE_DAYS
from extension.store.schema.usage_tables import USAGE_EVENTS


def all_tables() -> Mapping[str, Table]:
    """Return the tables by name, those that others refer to first."""
    found = {table.name: table for table in METADATA.sorted_tables}
    # A module that is not imported would leave its tables out.
    return found | {table.name: table for table in (LEASES, MODEL_PRICES, USAGE_EVENTS, USAGE_DAYS)}
