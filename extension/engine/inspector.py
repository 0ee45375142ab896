"""Facade of the engine for the HTTP API and the command line."""

from collections.abc import Callable, Sequence
from random import Random, SystemRandom

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.privacy.secret import Redactor
from extension.engine.actions.commands import Commands
from extension.engine.actions.executor import Actions
from extension.engine.actions.follow_up import FollowUp
from extension.engine.actions.history import ActionHistory
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE
from extension.engine.actions.undo import Undo
from extension.engine.automation.switch import AutomationSwitch
from extension.engine.event_log import EventLog
from extension.engine.history.health_reader import PoolHealthReader
from extension.engine.history.reader import History
from extension.engine.notifications.channels import Channels, ChannelSetup
from extension.engine.notifications.run_watcher import RunReader, RunWatcher
from extension.engine.pool.listing import PoolListing
from extension.engine.pool.overview import PoolOverview
from extension.engine.pool.views import PoolView
from extension.engine.runs.estimate import estimate
from extension.engine.runs.factory import RunFactory
from extension.engine.runs.lifecycle import Runs
from extension.engine.schedules import Schedules
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.accounts.families import Family
from extension.inspection.probes.cost import Cost
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.inspection.settings import InspectionSettings
from extension.store.actions.search import ActionFilter
from extension.store.database.database import Database, Transaction
from extension.store.deleted_files import DeletedFiles
from extension.store.records import ActionRecord, EventRecord, ResultRecord, RunRecord


class Inspector:
    """Inspects one pool and acts on it; `open` it before use and `close` it at the end.

    Every method may raise `adapter.port.GatewayError` where it has to ask the gateway, and an `EngineError` where said.
    Nothing it answers holds a secret. All times are integer milliseconds UTC. At most `keep_runs` ended runs with
    `keep_bytes` of results are kept when a new one starts; it comes on top, so that it has a run to be compared with.
    `overview` reads the pool without evidence, `health` its figures, `history` results, `action_history` what was done.
    `commands` act on accounts, `follow_up` on results, `undo` reverts either; `schedules` start runs, and `automation`
    pauses all automatic actions. `channels` report ended runs with changes or trouble, and missed starts; None
    without a setup of channels. `fence` is checked in every transaction of runs, actions, schedules and notifications.
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
        deleted_files: DeletedFiles | None = None,
        fence: Callable[[Transaction], None] | None = None,
    ) -> None:
        chance = random or SystemRandom()
        self._database = database
        self._vendors = vendors
        self._event_log = EventLog(database)
        guarded = database if fence is None else database.fenced(fence)
        self._listing = PoolListing(gateway, database, clock, redactor, pool_name)
        self.overview = PoolOverview(database, self._listing, self._event_log, clock)
        self.history = History(database, self._listing)
        self.health = PoolHealthReader(database, clock, self._listing, self.overview, self.history)
        self._actions = Actions(gateway, guarded, clock, redactor, listing=self._listing, deleted_files=deleted_files)
        self.action_history = ActionHistory(database, self._listing)
        self.commands = Commands(self._actions, self.action_history, deleted_files)
        self.follow_up = FollowUp(guarded, self.history, self._actions)
        self.undo = Undo(guarded, self._listing, self.history, self._actions)
        self.automation = AutomationSwitch(database, clock, redactor, self._listing)
        run_factory = RunFactory(
            gateway,
            guarded,
            clock,
            redactor,
            listing=self._listing,
            actions=self._actions,
            random=chance,
            vendors=vendors,
        )
        self._runs = Runs(
            guarded,
            clock,
            redactor,
            listing=self._listing,
            history=self.history,
            run_factory=run_factory,
            keep_runs=keep_runs,
            keep_bytes=keep_bytes,
        )
        self.schedules = Schedules(
            guarded, clock, redactor, chance, listing=self._listing, history=self.history, runs=self._runs
        )
        self.channels = Channels(channels, guarded, clock, self._listing) if channels is not None else None
        reader = RunReader(guarded, self.history, self._listing)
        self._run_watcher = RunWatcher(self._event_log, reader, self.channels, clock) if self.channels else None

    async def open(self, *, schedules: bool = True) -> None:
        """Continue where the last process ended; without `schedules` no scheduled inspection starts.

        Runs that a dead process left active become interrupted, and actions it left without an outcome are settled by
        reading the pool; when the gateway does not answer yet, that is done before the next action.
        """
        await self._listing.open()
        # Read first: a run that a dead process left active is reported as interrupted.
        reported = await self._run_watcher.position() if self._run_watcher is not None else 0
        await self._runs.open()
        await self._actions.open()
        if self._run_watcher is not None:
            self._run_watcher.open(reported)
        if schedules:
            await self.schedules.open()

    async def open_on_standby(self) -> None:
        """Open for reading alone: another process works on the runs, actions and schedules of the pool."""
        await self._listing.open()
        self._runs.open_on_standby()

    async def close(self) -> None:
        """Interrupt an active run, finish the write in progress and let waiting readers go. The database stays open."""
        await self.schedules.close()
        await self._runs.close()
        if self._run_watcher is not None:
            await self._run_watcher.close()
        await self._actions.close()
        self._event_log.close()

    async def start(self, settings: InspectionSettings, actor: str) -> RunRecord:
        """Start an inspection and return its run without waiting for it.

        Raises:
            RunActive: another run of the pool is active.
            NothingToInspect: no account is in scope.
        """
        return await self._runs.start(settings, actor)

    async def cost(self, settings: InspectionSettings, age: float = 0.0) -> Cost:
        """Return the most a run with these settings can cost, by a reading of this age at most; nothing is probed."""
        return await estimate(self._listing, self._database, settings, self._vendors, age)

    async def stop(self, run_id: int) -> RunRecord:
        """Stop a run: cancel its probes and keep stored results; a run that has ended stays as it is.

        Raises:
            RunUnknown: there is no such run.
        """
        return await self._runs.stop(run_id)

    async def pause(self, run_id: int) -> RunRecord:
        """Pause a run: start no more probes and actions until it is resumed; probes in flight finish.

        Raises:
            RunUnknown: there is no such run.
            RunStateRefused: it is not running.
        """
        return await self._runs.pause(run_id)

    async def finish(self, run_id: int) -> RunRecord:
        """Finish a run early: start no more probes, and act by its strategy on the results so far.

        Raises:
            RunUnknown: there is no such run.
            RunStateRefused: it is neither running nor paused.
        """
        return await self._runs.finish(run_id)

    async def resume(self, run_id: int) -> RunRecord:
        """Resume a paused, interrupted or failed run; accounts with a stored result are not probed again.

        Raises:
            RunUnknown: there is no such run.
            RunStateRefused: it is neither paused, interrupted nor failed.
            RunActive: another run of the pool is active.
        """
        return await self._runs.resume(run_id)

    async def runs(self, limit: int = 20) -> tuple[RunRecord, ...]:
        """Answer the newest runs of the pool, newest first."""
        return tuple(self._runs.shown(run) for run in await self.history.recent(limit))

    async def run(self, run_id: int) -> RunRecord:
        """Answer one run; `RunUnknown` when there is none."""
        return self._runs.shown(await self.history.get(run_id))

    async def results(self, run_id: int, after: int = 0, limit: int = 500) -> tuple[ResultRecord, ...]:
        """Answer results of a run in the order they landed beyond `after`; `RunUnknown` when there is no such run."""
        return await self.history.results(run_id, after, limit)

    async def events(self, after: int = 0, run_id: int | None = None, limit: int = 500) -> tuple[EventRecord, ...]:
        """Answer events with a `seq` greater than `after`, of one run or of all, oldest first.

        A cursor that the log cannot serve (pruned, or of another database) is answered by one event of kind `reset`:
        its `seq` is the newest one; read everything again and go on from there.
        """
        return await self._event_log.events(after, run_id, limit)

    async def wait_for_events(self, after: int) -> bool:
        """Wait, without polling, until there is an event with a `seq` greater than `after`; false when we are closing.

        Events appear after the commit of their change. A stream should wait at least 100 ms between its frames.
        """
        return await self._event_log.wait(after)

    async def pool(self, source: Source, family: str = Family.ALL, provider_filter: str = "") -> PoolView:
        """Read the pool now and answer the accounts in scope with their last results.

        `family` is a family's token under the API-key source and a provider under OAuth, or `all` of the source; the
        filter has an effect on API keys alone.
        """
        return await self._listing.view(Selection(source, family, provider_filter))

    async def set_disabled(
        self, account_ids: Sequence[int], disabled: bool, actor: str, reason: str = ""
    ) -> tuple[ActionRecord, ...]:
        """Disable or enable accounts in one batch, without those on hold; see `Commands.carry_out`."""
        action = DISABLE if disabled else ENABLE
        return (await self.commands.carry_out(account_ids, action, actor, reason)).actions

    async def delete_files(self, account_ids: Sequence[int], actor: str, reason: str = "") -> tuple[ActionRecord, ...]:
        """Delete the files of OAuth accounts, one after the other; see `Commands.carry_out`."""
        return (await self.commands.carry_out(account_ids, DELETE, actor, reason)).actions

    async def actions(self, limit: int = 100) -> tuple[ActionRecord, ...]:
        """Answer the newest actions on the pool, newest first."""
        return (await self.action_history.page(ActionFilter(), before=None, limit=limit)).actions

    async def set_flags(
        self, account_ids: Sequence[int], *, never_probe: bool | None = None, managed: bool | None = None
    ) -> None:
        """Set flags of accounts; None leaves one as it is.

        Runs skip an account excluded from checks. Automation may enable a managed account that a person disabled.

        Raises:
            AccountUnknown: an id was never in the pool; nothing was changed.
        """
        given = {"never_probe": never_probe, "managed": managed}
        await self._listing.set_flags(account_ids, {name: flag for name, flag in given.items() if flag is not None})
