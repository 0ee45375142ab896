"""`poolkeeper/fleet/…`: the gateways of a fleet and its workers."""

from collections.abc import Iterable

from extension.api.auth.authenticator import Asking, Principal
from extension.api.payloads.fleet import (
    FleetGatewayView,
    GatewayChoice,
    GatewayEdit,
    GatewayImportAnswer,
    GatewayRequest,
    GatewaysAnswer,
    GatewayTestView,
    ImportedGatewayView,
    ImportRequest,
    TestedGatewayAnswer,
    WorkersAnswer,
    WorkerView,
)
from extension.api.problems import problem_of
from extension.api.routes import Routes
from extension.api.services import FleetServices, InFleet
from extension.engine.fleet.gateways import GatewayTest, ImportedGateway
from extension.engine.operators.permission import can_see
from extension.store.fleet.gateways import GatewayRecord

route = Routes("fleet")


@route("GET", "fleet/gateways")
async def read_gateways(fleet: InFleet, asking: Asking) -> GatewaysAnswer:
    """Answer the gateways that the operator may see, without their keys; 404 `no_fleet` where there is one gateway."""
    return _shown(fleet, await visible(fleet, asking))


@route("POST", "fleet/gateways", status_code=201)
async def add_gateway(body: GatewayRequest, fleet: InFleet, asking: Asking) -> TestedGatewayAnswer:
    """Test a gateway, then add it; after a test that fails nothing is stored."""
    gateway, test = await fleet.gateways.add(body.order(), asking.actor)
    await fleet.changed()
    return _tested(fleet, gateway, test)


@route("POST", "fleet/gateways/edit")
async def edit_gateway(body: GatewayEdit, fleet: InFleet) -> GatewaysAnswer:
    """Change a gateway; another URL, key or authority is tested first. An unknown one is 404 `gateway_unknown`."""
    await fleet.gateways.edit(body.name, body.change())
    await fleet.changed()
    return await _answer(fleet)


@route("POST", "fleet/gateways/remove")
async def remove_gateway(body: GatewayChoice, fleet: InFleet) -> GatewaysAnswer:
    """Forget a gateway; the runs and actions of its pool stay stored."""
    await fleet.gateways.remove(body.name)
    await fleet.changed()
    return await _answer(fleet)


@route("POST", "fleet/gateways/test")
async def test_gateway(body: GatewayChoice, fleet: InFleet) -> TestedGatewayAnswer:
    """Test a gateway with its key; a key that it has refused is not sent again (409 `gateway_key_refused`)."""
    try:
        gateway, test = await fleet.gateways.test(body.name)
    finally:
        await fleet.changed()
    return _tested(fleet, gateway, test)


@route("POST", "fleet/gateways/import")
async def import_gateways(body: ImportRequest, fleet: InFleet, asking: Asking) -> GatewayImportAnswer:
    """Bring the fleet to the state of a file; each gateway that is added or moved is tested first."""
    orders = tuple(request.order() for request in body.gateways)
    fates = await fleet.gateways.import_all(orders, asking.actor, dry_run=body.dry_run, prune=body.prune)
    await fleet.changed()
    return GatewayImportAnswer(dry_run=body.dry_run, gateways=tuple(map(_fate, fates)))


@route("GET", "fleet/workers")
async def read_workers(fleet: InFleet) -> WorkersAnswer:
    """Answer the workers that live."""
    return WorkersAnswer(workers=tuple(map(WorkerView.of, await fleet.dispatch.workers())))


def _fate(fate: ImportedGateway) -> ImportedGatewayView:
    problem = None if fate.error is None else problem_of(fate.error).view
    return ImportedGatewayView(
        name=fate.name,
        change=fate.change,
        code=problem.code if problem else "",
        problem=f"{problem.error} {problem.hint}".strip() if problem else "",
    )


def _tested(fleet: FleetServices, gateway: GatewayRecord, test: GatewayTest) -> TestedGatewayAnswer:
    problem = fleet.problems().get(gateway.name, "")
    return TestedGatewayAnswer(gateway=FleetGatewayView.of(gateway, problem), test=GatewayTestView.of(test))


async def visible(fleet: FleetServices, asking: Principal) -> tuple[GatewayRecord, ...]:
    """Return the gateways that an operator may see, by name."""
    rows = await fleet.gateways.all()
    operator = None if asking.operator_access is None else asking.operator_access.operator
    return tuple(row for row in rows if operator is None or can_see(operator, row.labels))


async def _answer(fleet: FleetServices) -> GatewaysAnswer:
    return _shown(fleet, await fleet.gateways.all())


def _shown(fleet: FleetServices, rows: Iterable[GatewayRecord]) -> GatewaysAnswer:
    problems = fleet.problems()
    return GatewaysAnswer(gateways=tuple(FleetGatewayView.of(row, problems.get(row.name, "")) for row in rows))
