"""Errors of the gateways of a fleet; see `extension.engine.errors`."""
# ruff: noqa: N818 - as there

from collections.abc import Iterable

from extension.engine.errors import EngineError


class GatewayUnknown(EngineError):
    """No gateway of the fleet has this name."""

    code = "gateway_unknown"
    field = "name"

    def __init__(self, name: str, names: Iterable[str]) -> None:
        listed = ", ".join(sorted(names)) or "none yet"
        super().__init__(f"There is no gateway {name}.", f"The fleet has these: {listed}.")


class GatewayTaken(EngineError):
    """The fleet has a gateway of this name or URL."""

    code = "gateway_taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"The fleet has this gateway already, as {name}.", "Edit it instead.")


class GatewayFieldUnfit(EngineError):
    """A field of a gateway cannot be used; the text never repeats its value."""

    code = "gateway_field"

    def __init__(self, field: str, text: str, hint: str) -> None:
        super().__init__(text, hint)
        self.field = field


class KeyRefusedBefore(EngineError):
    """The gateway has refused this very key, which is not sent again: five refusals ban an address."""

    code = "gateway_key_refused"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The gateway {name} has refused its key, and no process sends that key again.",
            f"Give it the current one: poolkeeper gateway edit {name} --key",
        )


class NoFleet(EngineError):
    """This service has one gateway, and no fleet."""

    code = "no_fleet"

    def __init__(self) -> None:
        super().__init__("This service has one gateway, and no fleet.", "Start one with: poolkeeper serve --fleet")


class FleetRunUnknown(EngineError):
    """There is no fleet run with that number."""

    code = "fleet_run_unknown"

    def __init__(self, fleet_run_id: int) -> None:
        super().__init__(f"There is no fleet run {fleet_run_id}.", "List them with: poolkeeper fleet runs")


class NoGatewayChosen(EngineError):
    """No enabled gateway that the operator may see has these labels."""

    code = "no_gateway_chosen"
    field = "labels"

    def __init__(self) -> None:
        super().__init__("No enabled gateway has these labels.", "List gateways with: poolkeeper gateway list")
