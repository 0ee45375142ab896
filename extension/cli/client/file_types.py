"""Types of the OAuth files that the pool has."""

from extension.cli.client.service_lookup import ServiceLocation
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family


def file_types(service: ServiceLocation) -> frozenset[str]:
    """Return the types of the OAuth files in the pool."""
    query = {"source": Source.OAUTH.value, "family": Family.ALL.value, "view": "slim"}
    accounts = service.client.get(service.paths.pool, query)["accounts"]
    return frozenset(str(account["provider"]).strip().lower() for account in accounts)
