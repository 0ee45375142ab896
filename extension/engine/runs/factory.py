"""Run factory: builds a run's workers from its settings and selects its accounts."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.privacy.secret import Redactor
from extension.engine.actions.executor import Actions
from extension.engine.actions.planner import PoolScale
from extension.engine.automation.automation import Automation
from extension.engine.automation.confirmation import Confirmation
from extension.engine.automation.recovery import Recovery
from extension.engine.automation.reprobe import FailedProbes, Witnesses
from extension.engine.outage import Outage
from extension.engine.pool.hosts import key_counts
from extension.engine.pool.listing import PoolListing, PoolReading, PoolRefresh
from extension.engine.runs.control_prober import SCHEDULE_SECONDS, ControlMemory, ControlProber
from extension.engine.runs.exchange import Exchange
from extension.engine.runs.loop_lag import LoopLag
from extension.engine.runs.prober import Prober, Reprober, disabled_by_chat, verdict_history_in
from extension.engine.runs.runner import ProbeTarget, RunRunner, work_items
from extension.engine.runs.throttle import ProbePace, measure
from extension.engine.runs.transition import Lease
from extension.inspection.accounts.account import sample
from extension.inspection.policy.strategy import is_probed
from extension.inspection.probes.cost import Cost, cost_of
from extension.inspection.requests.vendors import Vendors
from extension.inspection.settings import AutoActionMode, InspectionSettings
from extension.store.database.database import Database, Transaction
from extension.store.pool import accounts, warnings
from extension.store.records import RunRecord
from extension.store.runs import runs


class RunFactory:
    """Builder of run runners."""

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: PoolListing,
        actions: Actions,
        random: Random,
        vendors: Vendors,
        survive: bool = False,
        in_fleet: bool = False,
    ) -> None:
        self._in_fleet = in_fleet
        self._gateway = gateway
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._actions = actions
        self._random = random
        self._vendors = vendors
        self._survive = survive
        self._controls = ControlMemory(self._keep_wrong_key)
        self._recalled = False

    async def measure(self, settings: InspectionSettings, count: int) -> ProbePace:
        """Find the pace for that many accounts. Raises `GatewayError`."""
        return await measure(self._gateway, settings.workers, count)

    async def cost(self, settings: InspectionSettings, age: float, only: Collection[int] | None = None) -> Cost:
        """Return the most a run with these settings can cost, by a reading of this age at most; nothing is probed.

        Accounts whose own traffic would spare them a probe are counted, because that is found out at their turn.
        """
        reading = await self._listing.read(age=age)
        records = await self._database.read(accounts.all_of, self._listing.pool_id)
        source, mode = settings.account_source, settings.auto_action_mode
        chosen = [
            listed
            for listed in reading.in_scope(settings)
            if is_probed(source, mode, listed.enabled) and (only is None or listed.id in only)
        ]
        excluded = {record.id for record in records.values() if record.never_probe}
        never = frozenset(listed.account.ref for listed in chosen if listed.id in excluded)
        cost = cost_of([listed.account for listed in chosen], settings, self._vendors, never_probed=never)
        return replace(cost, skipped=len(reading.pool.skipped))

    def chosen(
        self, reading: PoolReading, settings: InspectionSettings, only: Collection[int] | None = None
    ) -> tuple[int, ...]:
        """Return the accounts that a run with these settings inspects: in scope, in a state its mode probes.

        Of accounts that are named `only` these are inspected, without a sample.
        """
        source, mode = settings.account_source, settings.auto_action_mode
        numbers = {
            listed.account.ref: listed.id
            for listed in reading.in_scope(settings)
            if is_probed(source, mode, listed.enabled) and (only is None or listed.id in only)
        }
        if only is not None:
            return tuple(numbers.values())
        in_scope = [reading.accounts[number].account for number in numbers.values()]
        return tuple(numbers[account.ref] for account in sample(in_scope, settings.sample_size, self._random))

    async def execute(
        self, run: RunRecord, settings: InspectionSettings, reading: PoolReading, pace: ProbePace, lease: Lease
    ) -> RunRunner:
        """Begin the work in the background, on the accounts of the run that have no result in it."""

        def read(transaction: Transaction) -> Sequence[ProbeTarget]:
            known = {record.id: record for record in accounts.all_of(transaction, run.pool_id).values()}
            return [
                ProbeTarget(number, known[number].facts, reading.accounts.get(number), known[number].never_probe)
                for number in runs.unprobed(transaction, run.id)
            ]

        await self._recall_wrong_keys()
        outage = Outage(self._gateway, self._clock, self._random)
        scheduled = run.schedule_id is not None
        acts = settings.auto_action_mode is not AutoActionMode.NONE
        controls = ControlProber(self._controls, self._clock, self._random, scheduled=scheduled, acts=acts)
        witnesses, failures, lag = Witnesses(self._random), FailedProbes(), LoopLag()
        exchange = Exchange(
            self._gateway,
            self._clock,
            self._redactor,
            settings=settings,
            random=self._random,
            run_id=run.id,
            outage=outage,
            refresh=PoolRefresh(self._listing, self._clock),
            controls=controls,
            witnesses=witnesses,
            failures=failures,
            lag=lambda: lag.seconds,
        )
        prober = Prober(
            exchange,
            self._clock,
            self._redactor,
            settings=settings,
            random=self._random,
            run_id=run.id,
            vendors=self._vendors,
            verdict_history=verdict_history_in(self._database),
            disabled_by_chat=await self._database.read(disabled_by_chat, run.pool_id),
        )
        reprober = Reprober(exchange, prober, reading.accounts)
        automation = Automation(
            run,
            settings,
            scale=_scale(reading, settings),
            controls=controls,
            confirmation=Confirmation(
                controls,
                witnesses,
                failures,
                reprobe=reprober,
                clock=self._clock,
                random=self._random,
                brake=settings.brake,
                at_once=settings.workers,
            ),
            recovery=Recovery(controls, reprober, self._clock, settings),
            actions=self._actions,
            outage=outage,
            database=self._database,
            clock=self._clock,
            in_fleet=self._in_fleet,
        )
        items = work_items(await self._database.read(read), settings)
        return RunRunner(
            run,
            items,
            prober=prober,
            automation=automation,
            pace=pace,
            host_limit=settings.host_limit,
            lag=lag,
            database=self._database,
            clock=self._clock,
            redactor=self._redactor,
            owner=lease.owner,
            survives=self._survive,
            in_fleet=self._in_fleet,
        )

    async def _recall_wrong_keys(self) -> None:
        """Read the stored times of wrong keys once, at the first run of the process."""
        if self._recalled:
            return
        stored = await self._database.read(warnings.wrong_keys, self._listing.pool_id)
        now, monotonic = self._clock.now_ms(), self._clock.monotonic()
        for route, at in stored.items():
            # A time ahead is of a clock that was set back since: its hour begins now.
            self._controls.sent.setdefault(route, monotonic - max(0, now - at) / 1000)
        self._recalled = True

    async def _keep_wrong_key(self, route: str) -> None:
        pool_id, now = self._listing.pool_id, self._clock.now_ms()
        forget = now - round(SCHEDULE_SECONDS * 1000)
        await self._database.write(warnings.record_wrong_key, pool_id, route, now=now, forget=forget)


def _scale(reading: PoolReading, settings: InspectionSettings) -> PoolScale:
    """Return the size of the part of the pool that has the source of a run."""
    listed = [account for account in reading.accounts.values() if account.source is settings.account_source]
    keys = key_counts((account.facts.base_url, account.facts.provider, account.facts.fingerprint) for account in listed)
    proxies = {account.id: account.account.proxy for account in listed if account.account.proxy}
    return PoolScale(keys, sum(account.enabled is True for account in listed), proxies)
