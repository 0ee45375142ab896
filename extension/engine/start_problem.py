"""Reason of a schedule that could not start its run; pure."""

from adapter.port import GatewayError
from extension.engine.errors import EngineError, NothingToInspect, RunActive
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.reasons.trouble import trouble_reasons


def start_problem(error: EngineError | GatewayError | SettingsError) -> ReasonList:
    """Return an error of the start as a code with parameters."""
    match error:
        case RunActive():
            return because(ReasonCode.RUN_ACTIVE, run=error.run_id)
        case NothingToInspect():
            return because(ReasonCode.NOTHING_IN_SCOPE)
        case SettingsError():
            return because(ReasonCode.SCHEDULE_SETTING_REFUSED) + error.reasons
        case GatewayError():
            return trouble_reasons(error)
        case _:
            return because(ReasonCode.START_FAILED, said=str(error))
