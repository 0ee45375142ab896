"""Maximum cost of a run, computed before it starts."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from adapter.port import Account, AccountRef
from extension.inspection.probes.controls import MOST_CONFIRMATIONS, MOST_CONTROLS
from extension.inspection.probes.plan import (
    WRAPPING_TOKENS,
    NoProbe,
    ProbePlan,
    most_requests,
    most_tokens,
    plan_probe,
)
from extension.inspection.probes.sharing import probe_key
from extension.inspection.requests.bodies import TOKEN_CAP
from extension.inspection.requests.prompts import LONGEST
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.inspection.settings import AutoActionMode, InspectionSettings

_EACH: Final = 3
"""Most controls that one account calls for: of its list of models, its empty request, and its chat."""

_LOOKS: Final = 4
"""Most requests that confirm a change right before it is made, beside other accounts of a route."""

_LOOKS_AT_A_ROUTE: Final = 10
"""Most of them that the accounts of a small route take together."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The most a run over a selection can cost.

    `accounts` are the accounts in it, and `probed` the probes sent for them, one for all accounts that share it.
    `requests` and `tokens` are sums of the most each probe can take: fallbacks, confirmations and retries included, and
    the second looks of a run that acts by itself. Most probes take one request, no token. `sampled` says that a
    sample is probed, by chance: then requests and tokens are those of the costliest sample. `skipped` counts entries of
    the gateway's list, of either source, that cannot be inspected because they have no index. `controls` are the
    requests with a wrong key among `requests`; a run of a schedule sends at most `scheduled_controls` of them, one to a
    base URL in an hour.
    """

    accounts: int
    probed: int
    requests: int
    tokens: int
    sampled: bool = False
    skipped: int = 0
    controls: int = 0
    scheduled_controls: int = 0


def cost_of(
    accounts: Iterable[Account],
    settings: InspectionSettings,
    vendors: Vendors = PUBLIC,
    *,
    never_probed: frozenset[AccountRef] = frozenset(),
) -> Cost:
    """Return the maximum cost of probing these accounts; nothing is sent.

    `accounts` are those the run would probe, without those that its strategy leaves out. `never_probed` holds the
    accounts that are excluded from checks. Of accounts that share a probe, the first that can be probed counts.
    """
    count = 0
    chosen: dict[Hashable, Account] = {}
    for account in accounts:
        count += 1
        if account.ref in never_probed:
            continue
        shared = probe_key(account, settings)
        if shared not in chosen or (_can_be_called(account) and not _can_be_called(chosen[shared])):
            chosen[shared] = account
    prices = [_price(account, settings, vendors) for account in chosen.values()]
    priced = [price for price in prices if price is not None]
    size = settings.sample_size
    sampled = 0 < size < count
    most = size if sampled else len(priced)
    controls, control_tokens, routes = _controls(
        chosen.values(),
        settings,
        vendors,
        size if sampled else len(chosen),
    )
    probed = min(most, len(priced))
    acts = settings.brake and settings.auto_action_mode is not AutoActionMode.NONE
    return Cost(
        accounts=size if sampled else count,
        probed=probed,
        requests=sum(sorted((requests for requests, _ in priced), reverse=True)[:most])
        + controls
        + acts * (_LOOKS_AT_A_ROUTE * probed if sampled else _looks(chosen.values(), prices)),
        tokens=sum(sorted((tokens for _, tokens in priced), reverse=True)[:most]) + control_tokens,
        sampled=sampled,
        controls=controls,
        scheduled_controls=routes,
    )


def _controls(
    accounts: Iterable[Account], settings: InspectionSettings, vendors: Vendors, size: int
) -> tuple[int, int, int]:
    """Return the most controls of a run, the most tokens they cost, and the number of base URLs they go to.

    A control is shared by the accounts of a route, and an account calls for at most one for each of three requests.
    One of a route may be a minimal chat, which costs tokens where a host checks no key.
    """
    if not settings.evidence_checks:
        return 0, 0, 0
    routes: defaultdict[str, list[int]] = defaultdict(list)
    for account in accounts:
        plan = plan_probe(account, settings, SystemRandom(), vendors)
        if isinstance(plan, ProbePlan):
            price = TOKEN_CAP + WRAPPING_TOKENS + LONGEST[settings.probe_prompt_mode] if plan.evidence else 0
            routes[account.base_url or ""].append(price)
    confirmations = 0 if settings.auto_action_mode is AutoActionMode.NONE else MOST_CONFIRMATIONS
    route_controls = (min(MOST_CONTROLS, _EACH * len(prices)) + confirmations for prices in routes.values())
    most = sorted(route_controls, reverse=True)[:size]
    tokens = sorted((max(prices) for prices in routes.values()), reverse=True)[:size]
    return sum(most), sum(tokens), len(most)


def _looks(accounts: Iterable[Account], prices: Iterable[tuple[int, int] | None]) -> int:
    """Return the most requests that confirm changes of the accounts that are probed."""
    probed = (account for account, price in zip(accounts, prices, strict=True) if price is not None)
    sizes = Counter((account.base_url, account.route) for account in probed)
    return sum(max(_LOOKS * size, _LOOKS_AT_A_ROUTE) for size in sizes.values())


def _can_be_called(account: Account) -> bool:
    return account.probeable or account.detached


def _price(account: Account, settings: InspectionSettings, vendors: Vendors) -> tuple[int, int] | None:
    """Return the most requests and tokens one probe takes, or None when there is none."""
    plan = plan_probe(account, settings, SystemRandom(), vendors)
    if isinstance(plan, NoProbe):
        return None
    return most_requests(plan), most_tokens(plan, settings.probe_prompt_mode)
