"""`poolkeeper/fleet/overview` and `fleet/duplicates`: figures and duplicates across gateways, from rows."""

from collections import Counter

from starlette.responses import Response

from extension.api.auth.authenticator import Asking
from extension.api.fleet.gateways import visible
from extension.api.metrics.exposition import CONTENT_TYPE
from extension.api.metrics.fleet_exposition import exposed_fleet
from extension.api.payloads.fleet_work import DuplicatesAnswer, DuplicateView, FleetOverviewAnswer, OverviewRow
from extension.api.routes import Routes
from extension.api.services import Entered, FleetServices, InFleet
from extension.store.fleet import figures

route = Routes("fleet")


@route("GET", "fleet/overview")
async def read_overview(fleet: InFleet, asking: Asking) -> FleetOverviewAnswer:
    """Answer the gateways that the operator may see with figures, newest run and worker; no gateway is asked."""
    rows = await visible(fleet, asking)
    known, runs = await fleet.database.read(lambda t: (figures.every(t), figures.newest_runs(t)))
    owners = {pool: worker.name for worker in await fleet.dispatch.workers() for pool in worker.visits}
    problems, verdicts = fleet.problems(), Counter[str]()
    shown = [known[row.pool_id] for row in rows if row.pool_id in known and row.enabled]
    for counted in shown:
        verdicts.update(counted.verdicts)
    return FleetOverviewAnswer(
        gateways=tuple(
            OverviewRow.of(
                row,
                problems.get(row.name, ""),
                owners.get(row.pool_id, ""),
                known.get(row.pool_id),
                runs.get(row.pool_id),
            )
            for row in rows
        ),
        accounts=sum(counted.accounts for counted in shown),
        enabled=sum(counted.enabled for counted in shown),
        verdicts=dict(verdicts),
        on_hold=sum(counted.on_hold for counted in shown),
    )


@route("GET", "fleet/metrics", response_class=Response)
async def read_fleet_metrics(fleet: InFleet, entrance: Entered) -> Response:
    """Answer the figures of all gateways for monitoring; `/metrics` without a pool is the same."""
    return await fleet_metrics(fleet, entrance.version)


async def fleet_metrics(fleet: FleetServices, version: str) -> Response:
    """Return the answer to a monitoring system."""
    known, runs = await fleet.database.read(lambda t: (figures.every(t), figures.newest_runs(t)))
    rows, workers = await fleet.gateways.all(), await fleet.dispatch.workers()
    text = exposed_fleet(rows, known, runs, len(workers), version)
    return Response(text, media_type=CONTENT_TYPE)


@route("GET", "fleet/duplicates")
async def read_duplicates(fleet: InFleet, asking: Asking) -> DuplicatesAnswer:
    """Answer the accounts that several gateways share, as far as the operator may see one of them."""
    seen = frozenset(row.pool_id for row in await visible(fleet, asking))
    views = (DuplicateView.of(duplicate, seen) for duplicate in await fleet.duplicates.read())
    return DuplicatesAnswer(duplicates=tuple(view for view in views if view.places))
