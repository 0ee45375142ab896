"""Composition of the engine for the HTTP API and the command line."""

from collections.abc import Callable
from random import Random, SystemRandom

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.privacy.secret import Redactor
from extension.engine.actions.commands import ActionHistory, Commands
from extension.engine.actions.entry_edit import EntryEdits
from extension.engine.actions.executor import Actions
from extension.engine.actions.follow_up import FollowUp
from extension.engine.actions.lost_parts import LossKeeper
from extension.engine.actions.sign_in import SignIns
from extension.engine.actions.single_action import SingleActions
from extension.engine.actions.undo import Undo
from extension.engine.automation.automation import AutomationSwitch
from extension.engine.budgets.budgets import Budgets
from extension.engine.client_keys.client_keys import ClientKeys, KeyVault
from extension.engine.event_log import EventLog
from extension.engine.history.reader import History, PoolHealthReader
from extension.engine.notifications.channels import Channels, ChannelSetup
from extension.engine.notifications.run_watcher import RunReader, RunWatcher
from extension.engine.pool.listing import PoolListing
from extension.engine.pool.overview import PoolOverview
from extension.engine.runs.factory import RunFactory
from extension.engine.runs.lifecycle import Runs
from extension.engine.schedules import Schedules
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.store.database.database import Database, Transaction
from extension.store.deleted_files import CopySetup, DeletedFiles
from extension.store.sealed_documents import DocumentKind
from extension.usage.record_reading import UsageFingerprints


class Inspector:
    """The parts that inspect one pool and act on it; `open` it before use and `close` it at the end.

    Every part may raise `adapter.port.GatewayError` where it has to ask the gateway, and an `EngineError` where said.
    Nothing they answer holds a secret. All times are integer milliseconds UTC. At most `keep_runs` ended runs with
    `keep_bytes` of results are kept when a new one starts; it comes on top, so that it has a run to be compared with.
    `runs` start and steer inspections, `history` reads their results, `event_log` what happens meanwhile. `listing` and
    `overview` read the pool, without evidence and with it, `health` its figures, `action_history` what was done.
    `commands` act on accounts, `follow_up` on results, `undo` reverts either; `schedules` start runs, and
    `automation` pauses all automatic actions. `budgets` are limits of spend. `channels` report ended runs with
    changes or trouble, and missed starts; None without a setup of channels. `fence` is checked in every transaction
    of runs, actions, schedules and notifications, and with one a run outlives its process: the next owner of the pool
    takes it up. Without `copies` no file is deleted; with them and `fingerprints` client keys are created and
    revoked. `sign_ins` renew sessions of OAuth accounts, `entries` edits the configuration of API keys. `in_fleet`
    other gateways are witnesses of hosts, and one message reports an outage for all.
    """

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        pool_name: str = "default",
        random: Random | None = None,
        vendors: Vendors = PUBLIC,
        keep_runs: int = 200,
        keep_bytes: int = 1_000_000_000,
        channels: ChannelSetup | None = None,
        copies: CopySetup | None = None,
        fingerprints: UsageFingerprints | None = None,
        fence: Callable[[Transaction], None] | None = None,
        in_fleet: bool = False,
    ) -> None:
        chance = random or SystemRandom()
        self.event_log = EventLog(database, lambda: self.listing.pool_id)
        guarded = database if fence is None else database.fenced(fence)
        self.listing = PoolListing(gateway, database, clock, redactor, pool_name)
        self.overview = PoolOverview(database, self.listing, self.event_log, clock)
        self.history = History(database, self.listing)
        self.health = PoolHealthReader(database, clock, self.listing, self.overview, self.history)
        deleted_files = configurations = self.client_keys = None
        if copies is not None:
            pool_id = lambda: self.listing.pool_id  # noqa: E731 - it is known once the listing is open
            deleted_files = DeletedFiles(guarded, copies, clock, pool_id, DocumentKind.FILE)
            configurations = DeletedFiles(guarded, copies, clock, pool_id, DocumentKind.CONFIGURATION)
            if fingerprints is not None:
                vault = KeyVault(copies.seal, fingerprints)
                self.client_keys = ClientKeys(gateway, guarded, clock, redactor, listing=self.listing, vault=vault)
        self._actions = Actions(
            gateway,
            guarded,
            clock,
            redactor,
            listing=self.listing,
            deleted_files=deleted_files,
            configurations=configurations,
        )
        self.action_history = ActionHistory(database, self.listing)
        self.commands = Commands(self._actions, self.action_history, deleted_files)
        entries = configurations = None
        if copies is not None:  # not fenced: an edit is written by the process that is asked
            entries = DeletedFiles(database, copies, clock, pool_id, DocumentKind.ENTRY)
            configurations = DeletedFiles(database, copies, clock, pool_id, DocumentKind.CONFIGURATION)
        records = SingleActions(database, clock, redactor, self.listing)
        self.entries = EntryEdits(
            gateway,
            self.listing,
            records=records,
            losses=LossKeeper(gateway, configurations),
            copies=entries,
            turn=self._actions.turn,
        )
        self.sign_ins = SignIns(gateway, clock, records, self.listing)
        self.follow_up = FollowUp(guarded, self.history, self._actions)
        self.undo = Undo(guarded, self.listing, self.history, self._actions, self.entries)
        self.budgets = Budgets(guarded, clock, redactor, self.listing, self.client_keys)
        self.automation = AutomationSwitch(database, clock, redactor, self.listing)
        run_factory = RunFactory(
            gateway,
            guarded,
            clock,
            redactor,
            listing=self.listing,
            actions=self._actions,
            random=chance,
            vendors=vendors,
            survive=fence is not None,
            in_fleet=in_fleet,
        )
        self.runs = Runs(
            guarded,
            clock,
            redactor,
            listing=self.listing,
            history=self.history,
            run_factory=run_factory,
            keep_runs=keep_runs,
            keep_bytes=keep_bytes,
            survive=fence is not None,
        )
        self.schedules = Schedules(
            guarded, clock, redactor, chance, listing=self.listing, history=self.history, runs=self.runs
        )
        self.channels = Channels(channels, guarded, clock, self.listing) if channels is not None else None
        reader = RunReader(guarded, self.history, self.listing, clock, in_fleet=in_fleet)
        self._run_watcher = RunWatcher(self.event_log, reader, self.channels, clock) if self.channels else None

    async def open(self, *, schedules: bool = True) -> None:
        """Continue where the last process ended; without `schedules` no scheduled inspection starts.

        Runs that a dead process left active become interrupted, and actions it left without an outcome are settled by
        reading the pool; when the gateway does not answer yet, that is done before the next action.
        """
        await self.listing.open()
        # Read first: a run that a dead process left active is reported as interrupted.
        reported = await self._run_watcher.position() if self._run_watcher is not None else 0
        await self.runs.open()
        await self._actions.open()
        if self._run_watcher is not None:
            self._run_watcher.open(reported)
        if schedules:
            await self.schedules.open()

    @property
    def is_working(self) -> bool:
        """True while a run or a batch is in progress."""
        return self.runs.is_working or self._actions.is_working

    async def open_on_standby(self) -> None:
        """Open for reading alone: another process works on the runs, actions and schedules of the pool."""
        await self.listing.open()
        self.runs.open_on_standby()

    async def close(self) -> None:
        """Interrupt an active run or hand it over, finish the write in progress, and let waiting readers go.

        The database stays open.
        """
        await self.schedules.close()
        await self.runs.close()
        if self._run_watcher is not None:
            await self._run_watcher.close()
        await self._actions.close()
        self.event_log.close()
