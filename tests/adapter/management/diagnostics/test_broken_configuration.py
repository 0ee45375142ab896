"""A configuration that is being edited: the gateway goes on with what it had, and so do we."""

from adapter.management import ManagementConnection
from adapter.management.diagnostics.examination import DiagnosticFinding, examine
from tests.adapter.management.stand_in import StandIn

BROKEN = "port: [8317\n"


async def test_a_gateway_whose_configuration_is_broken_for_a_moment_can_be_examined(
    connection: ManagementConnection, stand_in: StandIn
) -> None:
    stand_in.text = BROKEN

    examination = await examine(connection)

    assert {endpoint.finding for endpoint in examination.endpoints if endpoint.path.endswith("/debug")} <= {
        DiagnosticFinding.WORKS
    }
    assert examination.accounts > 0


async def test_a_gateway_of_ours_whose_configuration_is_broken_for_a_moment_is_described(
    connection: ManagementConnection, stand_in: StandIn
) -> None:
    stand_in.text = BROKEN
    stand_in.version = {"X-CPA-VERSION": "0.3.0"}

    assert (await connection.gateway.describe()).name == "poolkeeper-gateway"
