"""Sharing of probes: accounts whose requests would be the same in everything are probed once."""

from collections.abc import Hashable

from adapter.port import Account
from extension.inspection.accounts.account import classify
from extension.inspection.settings import InspectionSettings


def probe_key(account: Account, settings: InspectionSettings) -> Hashable:
    """Return a value that is equal for accounts with equal base URL, key, proxy, headers and chat model."""
    model = settings.probe_model.strip() or next(iter(account.models), "")
    return classify(account), account.fingerprint, account.route, model
