"""Reasons why an account has no switch."""

from adapter.port.accounts import Account, Switch
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, Reason, ReasonList, because


def switch_refusal(account: Account) -> ReasonList:
    """Return why nothing can enable or disable an account from here; nothing where something can."""
    if account.switch is not Switch.NONE:
        return NO_REASON
    if account.switch_code == "several_keys":
        return because(ReasonCode.SEVERAL_KEYS, provider=account.compat_name, count=account.provider_keys)
    if account.switch_code == "stock_profile":
        return because(ReasonCode.STOCK_PROFILE)
    return ReasonList((Reason(ReasonCode.NO_OWN_SWITCH),), account.switch_reason)
