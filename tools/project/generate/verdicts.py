"""Tables of statuses, recommendations, and the checks of families and OAuth types."""

from extension.inspection.accounts.families import FAMILIES
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import VERDICTS
from extension.inspection.oauth.types import TYPES, UNPROBED, revoked_codes
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.judgement import Judgement
from extension.inspection.settings import DecisionPolicy, InspectionSettings, Leniency
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import NO_REASON
from extension.texts.catalogue import REFERENCE, catalogue

from .sources import code, codes, table

_FIRST_PHASE = InspectionSettings(decision_policy=DecisionPolicy.FIRST_PHASE)
_KEEP = InspectionSettings(
    decision_policy=DecisionPolicy.CONFIGURABLE, on_quota=Leniency.KEEP, on_server_error=Leniency.KEEP
)
_DISABLE = InspectionSettings(
    decision_policy=DecisionPolicy.CONFIGURABLE, on_quota=Leniency.DISABLE, on_server_error=Leniency.DISABLE
)
_CHOICES = {
    "on_quota": InspectionSettings(
        decision_policy=DecisionPolicy.CONFIGURABLE, on_quota=Leniency.KEEP, on_server_error=Leniency.DISABLE
    ),
    "on_server_error": InspectionSettings(
        decision_policy=DecisionPolicy.CONFIGURABLE, on_quota=Leniency.DISABLE, on_server_error=Leniency.KEEP
    ),
}


def meanings() -> str:
    """Return the legend: each status with its token, meaning and kind."""
    rows = (
        (row.label, code(verdict), row.meaning, str(row.kind).replace("_", " ")) for verdict, row in VERDICTS.items()
    )
    return table(("Status", "Token", "Meaning", "Kind"), rows)


def reasons() -> str:
    """Return the sentence of each code of a reason; the names in braces are its parameters."""
    codes_in_order = list(ReasonCode)
    first, last = codes_in_order.index(ReasonCode.FIELD_MISSING), codes_in_order.index(ReasonCode.LIST_WITHOUT_PRICES)
    rows: list[tuple[str, str, str]] = [
        ("error" if first <= place <= last else "result, plan or action", reason, f"reason.{reason}")
        for place, reason in enumerate(codes_in_order)
    ]
    rows += [("hold", reason, f"hold_reason.{reason}") for reason in HoldCode]
    return table(
        ("Of a", "Code", "Sentence"), ((subject, code(reason), _sentence(key)) for subject, reason, key in rows)
    )


def _sentence(key: str) -> str:
    return catalogue(REFERENCE).template(key)


def recommendations() -> str:
    """Return the recommendation for each status by state of the account and policy, as the code decides it."""
    rows = (
        (
            row.label,
            _action(verdict, True, _FIRST_PHASE),
            _action(verdict, False, _FIRST_PHASE),
            _under_the_configurable_policy(verdict),
        )
        for verdict, row in VERDICTS.items()
    )
    return table(("Status", "Enabled, `first_phase`", "Disabled, `first_phase`", "Enabled, `configurable`"), rows)


def families() -> str:
    """Return the families of API keys: their requests and where the key goes."""
    rows = (
        (
            row.label,
            code(family),
            codes(row.sections),
            f"{row.primary}{f', then {row.fallback}' if row.fallback else ''}",
            row.default_model,
            row.public_address or "none",
        )
        for family, row in FAMILIES.items()
    )
    head = ("Family", "Token", "Sections of config.yaml", "Requests", "Default model", "Public address")
    return table(head, rows)


def oauth_types() -> str:
    """Return the types of OAuth files: their requests and the codes that prove a revocation."""
    rows = [
        (
            row.label,
            code(token),
            ", then ".join(f"{check.endpoint} `{check.address}`" for check in row.checks),
            codes(sorted(revoked_codes(token))),
        )
        for token, row in TYPES.items()
    ]
    rows += [("", code(token), _sentence(f"reason.{reason}"), "") for token, reason in UNPROBED.items()]
    return table(("Type", "Token", "Requests", "Codes of a revocation"), rows)


def _action(verdict: Verdict, enabled: bool, settings: InspectionSettings) -> str:
    return str(recommend(Judgement(verdict, NO_REASON), enabled, settings).action)


def _under_the_configurable_policy(verdict: Verdict) -> str:
    lenient, strict = _action(verdict, True, _KEEP), _action(verdict, True, _DISABLE)
    if lenient == strict:
        return lenient
    deciding = [name for name, settings in _CHOICES.items() if _action(verdict, True, settings) == lenient]
    spelled = {"on_quota": "onQuota", "on_server_error": "onServerError"}
    return f"as {codes(spelled[name] for name in deciding)} says"
