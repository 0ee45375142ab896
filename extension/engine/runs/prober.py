"""Prober: sends one account's requests through the gateway, judges the answers, and returns the result."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from random import Random

import structlog

from adapter.clock import Clock
from adapter.port import Answer, NoAnswer
from adapter.privacy.secret import Redactor
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.runs.exchange import Exchange
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.finding import thresholds_of
from extension.inspection.policy.recommendation import Recommendation, recommend
from extension.inspection.policy.revocation import PastVerdict
from extension.inspection.probes.judgement import Judgement, judge
from extension.inspection.probes.plan import plan_probe
from extension.inspection.probes.traffic_skip import spared
from extension.inspection.requests.outcome import GatewayTrouble, ProbeRequest
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.inspection.settings import CheckDepth, InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.actions import actions
from extension.store.database.database import Database, Transaction
from extension.store.records import AccountFacts, AttemptRecord, NewResult, WindowRecord
from extension.store.runs import results as stored_results
from extension.store.runs import runs

_LOG = structlog.get_logger("poolkeeper.probe")

_MOST_READ = 100
"""Earlier results that are looked at: those of so many runs, the newest first."""

VerdictHistory = Callable[[int], Awaitable[Sequence[PastVerdict]]]
"""Function that returns the earlier verdicts of an account, newest first."""


def verdict_history_in(database: Database) -> VerdictHistory:
    """Return a reader of the stored results."""

    async def read(account_id: int) -> Sequence[PastVerdict]:
        rows = await database.read(stored_results.verdicts_of, account_id, _MOST_READ)
        return tuple(PastVerdict(Verdict(verdict), at) for verdict, at in rows)

    return read


def disabled_by_chat(transaction: Transaction, pool_id: int) -> frozenset[int]:
    """Return the accounts whose last action disabled them on a finding of a run of the depth usable."""
    disabling = {
        account: action.run_id
        for account, action in actions.last_applied(transaction, pool_id).items()
        if action.action == Action.DISABLE and action.evidence.get("verdict") != Verdict.HEALTHY
    }
    usable = set[int | None]()
    for number in {number for number in disabling.values() if number is not None}:
        run = runs.get(transaction, number, pool_id)
        if run is not None and run.settings.get("checkDepth") == CheckDepth.USABLE:
            usable.add(number)
    return frozenset(account for account, number in disabling.items() if number in usable)


async def no_verdict_history(_account_id: int) -> Sequence[PastVerdict]:
    """Know nothing of earlier probes, so that nothing is ever certain."""
    return ()


class Prober:
    """Probes the accounts of one run, with its settings; `exchange` sends the requests.

    `disabled_by_chat` are the accounts that an action disabled on a finding of the depth usable.
    """

    def __init__(
        self,
        exchange: Exchange,
        clock: Clock,
        redactor: Redactor,
        *,
        settings: InspectionSettings,
        random: Random,
        run_id: int,
        vendors: Vendors = PUBLIC,
        verdict_history: VerdictHistory = no_verdict_history,
        disabled_by_chat: Collection[int] = (),
    ) -> None:
        self._exchange = exchange
        self._clock = clock
        self._redactor = redactor
        self._settings = settings
        self._random = random
        self._run_id = run_id
        self._vendors = vendors
        self._verdict_history = verdict_history
        self._disabled_by_chat = () if settings.check_depth is CheckDepth.USABLE else disabled_by_chat

    async def probe(self, accounts: Sequence[ListedAccount], *, never_probe: bool = False) -> tuple[NewResult, ...]:
        """Probe accounts that share a probe, and return a result for each of them.

        The first that can be probed stands for the others. An account whose own traffic shows that it works needs no
        probe, while the others may. Trouble with the gateway is the verdict `unknown`, because it says nothing about
        the key. Raises `Unauthorised`, `Banned` or `GatewayError`.
        """
        plans = {listed.id: spared(listed.account, self._settings) for listed in accounts}
        results = [
            await self._judged(listed, judge(plan, [], self._settings, self._redactor))
            for listed in accounts
            if (plan := plans[listed.id]) is not None
        ]
        rest = [listed for listed in accounts if plans[listed.id] is None]
        if rest:
            results += await self._probe_first(rest, never_probe=never_probe)
        for result in results:
            _log(result)
        return tuple(results)

    async def _probe_first(self, accounts: Sequence[ListedAccount], *, never_probe: bool) -> list[NewResult]:
        """Send the requests of one probe, and judge every account by their answers."""
        usable = (listed for listed in accounts if listed.account.probeable or listed.account.detached)
        first = next((listed for listed in accounts if listed.account.probeable), next(usable, accounts[0]))
        others = [listed for listed in accounts if listed is not first]
        plan = plan_probe(first.account, self._settings, self._random, self._vendors, never_probe=never_probe)
        first, judgement = await self._exchange.judged(first, plan)
        shared = first.id if judgement.attempts else None
        own = await self._judged(first, judgement)
        return [own, *[await self._judged(listed, judgement, probed_with=shared) for listed in others]]

    async def _judged(
        self, listed: ListedAccount, judgement: Judgement, *, probed_with: int | None = None
    ) -> NewResult:
        """Return the result of an account, with the recommendation for its own state."""
        revoked = judgement.verdict is Verdict.REVOKED
        advice = recommend(
            judgement,
            listed.enabled,
            self._settings,
            may_enable=listed.switchable,
            as_deep=listed.id not in self._disabled_by_chat,
            history=await self._verdict_history(listed.id) if revoked else (),
            now=self._clock.now_ms(),
        )
        result = self._result(listed.id, listed.facts, listed.enabled, judgement, advice, revisions=listed.revisions)
        return replace(result, probed_with=probed_with, route=listed.account.route)

    def vanished(self, account_id: int, facts: AccountFacts) -> NewResult:
        """Return the result of an account that left the pool before its probe."""
        judgement = Judgement(Verdict.SKIPPED, because(ReasonCode.NOT_IN_POOL))
        return self._result(account_id, facts, None, judgement, Recommendation(Action.KEEP, judgement.reason))

    def _result(
        self,
        account_id: int,
        facts: AccountFacts,
        enabled: bool | None,
        judgement: Judgement,
        advice: Recommendation,
        *,
        revisions: tuple[str, ...] = (),
    ) -> NewResult:
        return NewResult(
            run_id=self._run_id,
            account_id=account_id,
            account_source=facts.source,
            family=facts.family,
            display_name=facts.display_name,
            provider=facts.provider,
            base_url=facts.base_url,
            enabled=enabled,
            verdict=judgement.verdict.value,
            action=advice.action.value,
            reason=advice.reason,
            status=judgement.status,
            latency_ms=judgement.latency_ms,
            attempts=tuple(
                AttemptRecord(attempt.method, attempt.url, attempt.status, attempt.latency_ms, attempt.problem)
                for attempt in judgement.attempts
            ),
            preview=judgement.preview,
            headers=judgement.headers,
            at=judgement.answered_at or self._clock.now_ms(),
            revisions=revisions,
            windows=self._windows(judgement),
            resets_at=judgement.resets_at,
            key_hint=facts.key_hint,
            place=facts.place,
        )

    def _windows(self, judgement: Judgement) -> tuple[WindowRecord, ...]:
        thresholds = thresholds_of(self._settings)
        return tuple(
            WindowRecord(
                name=self._redactor.redact(window.name),
                pool=self._redactor.redact(window.pool),
                used=window.used,
                threshold=thresholds.of(window),
                seconds=window.seconds,
                resets_at=window.resets_at,
            )
            for window in judgement.windows
        )


class Reprober:
    """Probes of one run that automation has sent again; the accounts are those of the run's reading of the pool."""

    def __init__(self, exchange: Exchange, prober: Prober, accounts: Mapping[int, ListedAccount]) -> None:
        self._exchange = exchange
        self._prober = prober
        self._accounts = accounts

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        """Send a request through an account once more; see `Reprobe.ask`."""
        return await self._exchange.ask(listed, request)

    async def check(self, account_id: int) -> Verdict | None:
        """Check an account from the beginning; see `Reprobe.check`."""
        listed = self._accounts.get(account_id)
        results = () if listed is None else await self._prober.probe([listed])
        return next((Verdict(result.verdict) for result in results), None)


def _log(result: NewResult) -> None:
    """Log a probe. The preview is logged unless the status is 200, the key never."""
    facts = {
        "run": result.run_id,
        "account": result.account_id,
        "name": result.display_name,
        "verdict": result.verdict,
        "status": result.status,
        "latency_ms": result.latency_ms,
    }
    if result.preview:
        facts["preview"] = result.preview
    _LOG.info("probe", **facts)
