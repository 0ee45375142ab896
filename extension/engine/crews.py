"""Crews: who works on a run, put together from its settings, and on which accounts."""

from collections.abc import Sequence
from random import Random

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.secret import Redactor
from extension.engine.actions import Actions
from extension.engine.automation import Automation
from extension.engine.execution import Crew, Execution, Target
from extension.engine.lease import Lease
from extension.engine.listing import Listing, Reading
from extension.engine.outage import Outage
from extension.engine.pace import Pace, measure
from extension.engine.probing import Prober
from extension.engine.relisting import Relisting
from extension.engine.sightings import sightings_in
from extension.inspection.accounts import sample
from extension.inspection.settings import InspectionSettings
from extension.inspection.strategy import is_probed
from extension.inspection.vendors import Vendors
from extension.store import accounts, runs
from extension.store.database import Database, Transaction
from extension.store.records import RunRecord


class Crews:
    """Makes executions of runs."""

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: Listing,
        actions: Actions,
        random: Random,
        vendors: Vendors,
    ) -> None:
        self._gateway = gateway
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._actions = actions
        self._random = random
        self._vendors = vendors

    async def measure(self, settings: InspectionSettings, count: int) -> Pace:
        """Find the pace for that many accounts.

        Raises:
            GatewayError: the gateway could not be asked.
        """
        return await measure(self._gateway, settings.workers, count)

    def chosen(self, reading: Reading, settings: InspectionSettings) -> tuple[int, ...]:
        """Return the accounts that a run with these settings inspects: in scope, in a state its mode probes."""
        source, mode = settings.account_source, settings.auto_action_mode
        numbers = {
            credential.account.ref: credential.id
            for credential in reading.in_scope(settings)
            if is_probed(source, mode, credential.enabled)
        }
        in_scope = [reading.credentials[number].account for number in numbers.values()]
        return tuple(numbers[account.ref] for account in sample(in_scope, settings.sample_size, self._random))

    async def execute(
        self, run: RunRecord, settings: InspectionSettings, reading: Reading, pace: Pace, lease: Lease
    ) -> Execution:
        """Begin the work in the background, on the accounts of the run that have no result in it."""

        def read(transaction: Transaction) -> Sequence[Target]:
            known = {record.id: record for record in accounts.all_of(transaction, run.pool_id).values()}
            return [
                Target(number, known[number].facts, reading.credentials.get(number), known[number].never_probe)
                for number in runs.unprobed(transaction, run.id)
            ]

        outage = Outage(self._gateway, self._clock, self._random)
        prober = Prober(
            self._gateway,
            self._clock,
            self._redactor,
            settings=settings,
            random=self._random,
            run_id=run.id,
            outage=outage,
            vendors=self._vendors,
            sightings=sightings_in(self._database),
            relist=Relisting(self._listing, self._clock),
        )
        automation = Automation(
            run, settings, actions=self._actions, outage=outage, database=self._database, clock=self._clock
        )
        crew = Crew(prober, automation, pace, settings.host_limit)
        targets = await self._database.read(read)
        return Execution(run, targets, crew, database=self._database, clock=self._clock, owner=lease.owner)
