"""Other gateways of a fleet as witnesses of a host: they may hold a change up, and never blame an account. Pure."""

from collections.abc import Iterable
from typing import Final, Protocol

from extension.inspection.evidence.verdict import Verdict
from extension.reasons.codes import HoldCode

_GATEWAYS: Final = 3
"""Gateways that have to get the same refusal before the host counts as down for all."""
_OF_EGRESS: Final = frozenset(
    {Verdict.FORBIDDEN, Verdict.RATE_LIMITED, Verdict.REJECTED, Verdict.PROVIDER_ERROR, Verdict.UNREACHABLE}
)
"""Verdicts whose cause can be the address or the proxy that a request comes from."""
_OF_HOST: Final = _OF_EGRESS | {Verdict.INVALID_KEY}
"""Verdicts whose cause can be a host that refuses everybody."""


class HostPulse(Protocol):
    """Checks of one gateway at the host that ended alike; an empty verdict: the host served them."""

    @property
    def pool_id(self) -> int:
        """Number of the gateway."""

    @property
    def verdict(self) -> str:
        """Verdict of the checks."""

    @property
    def egress(self) -> str:
        """Name of the gateway's way to the providers; empty where it is not known."""


def objection(pool_id: int, verdict: Verdict, pulses: Iterable[HostPulse]) -> HoldCode | None:
    """Return why a change for a verdict of a gateway waits, by the pulses of the host in the last minutes."""
    counted = tuple(pulses)
    egress = next((pulse.egress for pulse in counted if pulse.pool_id == pool_id), "")
    serving = {pulse.pool_id: pulse.egress for pulse in counted if not pulse.verdict}
    refusing = {pulse.pool_id for pulse in counted if pulse.verdict == verdict}
    if not serving:
        return HoldCode.FLEET_OUTAGE if verdict in _OF_HOST and len(refusing) >= _GATEWAYS else None
    if verdict not in _OF_EGRESS or pool_id in serving:
        return None
    elsewhere = any(not way or way != egress for number, way in serving.items())
    return HoldCode.THIS_EGRESS_REFUSED if elsewhere else None
