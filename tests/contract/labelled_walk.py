"""Disable, enable and undo of every account of the labelled pool, with the configuration compared after each step."""

from collections import Counter
from collections.abc import Callable, Sequence

from adapter.port import Account, Applied, Change, FileRef, Gateway, KeyRef, Outcome, Refused, Section
from tests.contract.labelled_pool import FILES, MERGED_BY_STOCK, Expected, labelled_entries

ADDRESS = "http://127.0.0.1:9"


async def walk(gateway: Gateway, stored: Callable[[], object], *, stock: bool) -> int:
    """Switch everything off, on, off and take that back; `stored` must be equal after enabling and after the undo.

    Returns the number of accounts.
    """
    accounts = (await gateway.accounts()).accounts
    found, wanted = _counted(accounts), _expected_counts(stock=stock)
    assert found == wanted, f"more: {found - wanted}, fewer: {wanted - found}"
    before = stored()
    off = await _switched(gateway, accounts, disabled=True)
    assert stored() != before
    states = {one.ref: one.enabled for one in (await gateway.accounts()).accounts if _is_switchable(one)}
    assert Counter(states.values()) == Counter({False: len([one for one in off if isinstance(one, Applied)])})
    now = (await gateway.accounts()).accounts
    await _switched(gateway, now, disabled=False)
    off = await _switched(gateway, (again := (await gateway.accounts()).accounts), disabled=True)
    undo = [
        Change(account.ref, disabled=False, restore=outcome.before)
        for account, outcome in zip(again, off, strict=True)
        if isinstance(outcome, Applied)
    ]
    assert {type(outcome) for outcome in await gateway.set_disabled(undo)} == {Applied}
    assert stored() == before
    return len(accounts)


async def _switched(gateway: Gateway, accounts: Sequence[Account], *, disabled: bool) -> tuple[Outcome, ...]:
    outcomes = await gateway.set_disabled([Change(account.ref, disabled=disabled) for account in accounts])
    for account, outcome in zip(accounts, outcomes, strict=True):
        wanted = Applied if _is_switchable(account) else Refused
        assert isinstance(outcome, wanted), (account.ref, outcome)
    return outcomes


def _is_switchable(account: Account) -> bool:
    return account.compat_name != "several"


def _part(account: Account) -> Section | None:
    assert isinstance(account.ref, FileRef | KeyRef)
    return account.ref.section if isinstance(account.ref, KeyRef) else None


def _counted(accounts: Sequence[Account]) -> Counter[tuple[Section | None, bool]]:
    return Counter((_part(account), _is_switchable(account)) for account in accounts)


def _expected_counts(*, stock: bool) -> Counter[tuple[Section | None, bool]]:
    found: Counter[tuple[Section | None, bool]] = Counter({(None, True): len(FILES)})
    for one in labelled_entries(ADDRESS):
        if stock and one.name in MERGED_BY_STOCK.get(one.section, ()):
            continue
        found[one.section, one.expected is Expected.SWITCHED] += one.keys
    return found
