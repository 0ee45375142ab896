"""Estimate of the maximum cost of a run."""

from dataclasses import replace

from extension.engine.pool.listing import PoolListing
from extension.inspection.policy.strategy import is_probed
from extension.inspection.probes.cost import Cost, cost_of
from extension.inspection.requests.vendors import Vendors
from extension.inspection.settings import InspectionSettings
from extension.store.database.database import Database
from extension.store.pool import accounts


async def estimate(
    listing: PoolListing, database: Database, settings: InspectionSettings, vendors: Vendors, age: float = 0.0
) -> Cost:
    """Read the pool and return the most a run with these settings can cost now; nothing is probed.

    A reading of the pool that began `age` seconds ago will do. Accounts whose own traffic would spare them a probe are
    counted, because that is found out at their turn.

    Raises:
        GatewayError: the pool could not be read.
    """
    reading = await listing.read(age=age)
    known = await database.read(lambda transaction: accounts.all_of(transaction, listing.pool_id))
    chosen = [
        listed
        for listed in reading.in_scope(settings)
        if is_probed(settings.account_source, settings.auto_action_mode, listed.enabled)
    ]
    excluded = {record.id for record in known.values() if record.never_probe}
    never = frozenset(listed.account.ref for listed in chosen if listed.id in excluded)
    cost = cost_of([listed.account for listed in chosen], settings, vendors, never_probed=never)
    return replace(cost, skipped=len(reading.pool.skipped))
