"""Other gateways as witnesses of a host: they hold a change up, and put no blame on a key."""

from dataclasses import dataclass

import pytest

from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.other_gateways import objection
from extension.reasons.codes import HoldCode

REFUSED = Verdict.FORBIDDEN.value


@dataclass(frozen=True)
class Pulse:
    """Checks of a gateway that ended alike."""

    pool_id: int
    verdict: str
    egress: str = ""


@pytest.mark.parametrize(
    ("pulses", "verdict", "code"),
    [
        ([Pulse(1, REFUSED), Pulse(2, REFUSED), Pulse(3, REFUSED)], Verdict.FORBIDDEN, HoldCode.FLEET_OUTAGE),
        ([Pulse(1, REFUSED), Pulse(2, REFUSED)], Verdict.FORBIDDEN, None),
        ([Pulse(1, REFUSED), Pulse(2, "blocked"), Pulse(3, "blocked")], Verdict.FORBIDDEN, None),
        ([Pulse(1, REFUSED), Pulse(2, "")], Verdict.FORBIDDEN, HoldCode.THIS_EGRESS_REFUSED),
        ([Pulse(1, REFUSED, "a"), Pulse(2, "", "b")], Verdict.FORBIDDEN, HoldCode.THIS_EGRESS_REFUSED),
        ([Pulse(1, REFUSED, "a"), Pulse(2, "", "a")], Verdict.FORBIDDEN, None),
        ([Pulse(1, REFUSED), Pulse(1, ""), Pulse(2, "")], Verdict.FORBIDDEN, None),
        ([Pulse(number, "invalid_key") for number in (1, 2, 3)], Verdict.INVALID_KEY, HoldCode.FLEET_OUTAGE),
        ([Pulse(number, "revoked") for number in (1, 2, 3)], Verdict.REVOKED, None),
        ([Pulse(1, "invalid_key"), Pulse(2, "")], Verdict.INVALID_KEY, None),
        ([], Verdict.FORBIDDEN, None),
    ],
    ids=[
        "three gateways, nobody served",
        "two gateways",
        "other refusals",
        "served elsewhere",
        "served through another egress",
        "served through the same egress",
        "another account served here",
        "a host that knows no key",
        "a sign-in that is over is the account's",
        "a wrong key while others work",
        "no pulse",
    ],
)
def test_other_gateways_hold_up_what_may_be_the_host(
    pulses: list[Pulse], verdict: Verdict, code: HoldCode | None
) -> None:
    assert objection(1, verdict, pulses) is code
