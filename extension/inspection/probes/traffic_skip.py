"""Traffic skip: accounts whose own traffic proves enough that a run need not probe them."""

from adapter.port import Account
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.probes.plan import NoProbe
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because


def spared(account: Account, settings: InspectionSettings) -> NoProbe | None:
    """Say that an account is not probed because its own traffic went well, or None when it is.

    Only where the settings ask for it, and only for an account in use that succeeded and never failed since the
    gateway started counting. It stays as it is: a skipped account is never a reason to act.
    """
    activity = account.activity
    if not settings.evidence_first or account.enabled is not True or activity.cooling_until is not None:
        return None
    if activity.successes < 1 or activity.failures:
        return None
    if activity.successes == 1:
        return NoProbe(Verdict.SKIPPED, because(ReasonCode.TRAFFIC_WORKED_ONCE))
    return NoProbe(Verdict.SKIPPED, because(ReasonCode.TRAFFIC_WORKED, successes=activity.successes))
