"""Exchange: sends the requests of one probe and their controls through the gateway, and judges the answers."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import structlog

from adapter.clock import Clock
from adapter.port import Answer, Calls, GatewayError, NoAnswer, NoAnswerKind
from adapter.port.errors import Banned, NotOwned, Unauthorised, UnknownCredential
from adapter.privacy.secret import Redactor
from extension.engine.automation.reprobe import FailedProbes, Witnesses
from extension.engine.outage import Outage, backoff
from extension.engine.pool.hosts import route_named
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import Refresh, no_refresh
from extension.engine.runs.control_prober import ControlProber, ControlWish
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.plan import OAuthPlan
from extension.inspection.probes.controls import ControlAnswer, ControlRequest
from extension.inspection.probes.judgement import Judgement, judge, next_step
from extension.inspection.probes.plan import NoProbe, ProbePlan
from extension.inspection.probes.reset_time import reset_of
from extension.inspection.requests.addresses import host_of
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest, Stage
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.reasons.trouble import trouble_reasons
from extension.store.errors import StoreError

_LOG = structlog.get_logger("poolkeeper.probe")

_TRIES = 3
"""Attempts of a call that the gateway, not the upstream, left without an answer."""
_UNOWNED_SECONDS = 0.5
"""Pause before it is asked again whether this process still owns the gateway."""
_OWN_SHARE = 0.25
"""Share of a timeout that our own loop may be late before the timeout is ours."""


class Exchange:
    """Carries out the plans of one run's probes. `controls` takes the controls; without it none are sent.

    `witnesses` remembers accounts that worked, and `failures` those that did not. `lag` tells for how many seconds our
    own loop has been late so far: that time is never the provider's.
    """

    def __init__(
        self,
        gateway: Calls,
        clock: Clock,
        redactor: Redactor,
        *,
        settings: InspectionSettings,
        random: Random,
        run_id: int,
        outage: Outage,
        refresh: Refresh = no_refresh,
        controls: ControlProber | None = None,
        witnesses: Witnesses | None = None,
        failures: FailedProbes | None = None,
        lag: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._gateway = gateway
        self._clock = clock
        self._redactor = redactor
        self._settings = settings
        self._random = random
        self._run_id = run_id
        self._outage = outage
        self._refresh = refresh
        self._controls = controls
        self._witnesses = witnesses
        self._failures = failures
        self._lag = lag

    async def judged(
        self, listed: ListedAccount, plan: ProbePlan | OAuthPlan | NoProbe
    ) -> tuple[ListedAccount, Judgement]:
        """Return the judgement of a plan, and the account as it was when it was asked.

        If the gateway knew the account by another name by then, it is answered by that name. A defect of our own ends
        the check of this account alone, as `unknown`.
        """
        try:
            return await self._carried_out(listed, plan)
        except (GatewayError, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - one account's defect never ends the run
            # Not quoted: an unforeseen error may hold a secret.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place, kind = f"{frame.filename}:{frame.lineno}", type(error).__name__
            _LOG.error("probe-failed", run=self._run_id, account=listed.id, error=kind, place=place)
            return listed, Judgement(Verdict.UNKNOWN, because(ReasonCode.INTERNAL_ERROR, error=kind))

    async def ask(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        """Send one request through an account once more; raises as `judged` does."""
        return (await self._asked(listed, request))[1]

    async def _carried_out(
        self, listed: ListedAccount, plan: ProbePlan | OAuthPlan | NoProbe
    ) -> tuple[ListedAccount, Judgement]:
        """Send requests and controls until enough is known; before a request is repeated there is a pause."""
        attempts: list[Attempt] = []
        controls: dict[Stage, ControlAnswer | None] = {}
        answered: dict[Stage, float] = {}
        answered_at: int | None = None
        while not isinstance(plan, NoProbe):
            step = next_step(plan, attempts, controls, self._settings)
            if step is None:
                break
            if isinstance(step, ControlRequest):
                weighed = next(attempt for attempt in reversed(attempts) if attempt.request.stage is step.stage)
                controls[step.stage] = await self._controlled(listed, plan, weighed, answered[step.stage])
                continue
            again = sum(attempt.request is step for attempt in attempts)
            if again:
                await self._clock.sleep(backoff(again, self._random))
            listed, answer = await self._asked(listed, step)
            attempts.append(Attempt(step, answer))
            settled = answer.settled if isinstance(answer, Answer) else 0.0
            answered[step.stage] = self._clock.monotonic() - settled
            answered_at = self._clock.now_ms() - round(settled * 1000)
        judgement = judge(plan, attempts, self._settings, self._redactor, controls=controls)
        if judgement.verdict in {Verdict.HEALTHY, Verdict.OUT_OF_QUOTA}:
            self._remember(listed, attempts)
        if judgement.verdict is Verdict.HEALTHY and isinstance(plan, ProbePlan) and listed.enabled is False:
            self._remember_served(listed, plan, attempts[-1])
        if self._failures is not None and judgement.verdict is not Verdict.HEALTHY:
            self._failures.add(listed, attempts, judgement)
        # A control comes later than the answers it judges, and says nothing about the moment they were given.
        now = answered_at or self._clock.now_ms()
        resets_at = judgement.resets_at or reset_of(judgement.verdict, attempts, now)
        return listed, replace(judgement, answered_at=answered_at, resets_at=resets_at)

    def _remember(self, listed: ListedAccount, attempts: Sequence[Attempt]) -> None:
        """Remember an account that was served, and how it is asked again; one without a quota left may have been."""
        if self._witnesses is not None:
            route = route_named(listed.facts.base_url or listed.facts.provider, listed.account.route)
            self._witnesses.worked(route, listed, attempts)

    def _remember_served(self, listed: ListedAccount, plan: ProbePlan, served: Attempt) -> None:
        if self._controls is not None and not plan.keyless:
            wish = _wish(listed, plan, served, self._clock.monotonic())
            self._controls.served(listed.id, wish, partial(self.ask, listed))

    async def _controlled(
        self, listed: ListedAccount, plan: ProbePlan | OAuthPlan, weighed: Attempt, answered_at: float
    ) -> ControlAnswer | None:
        """Return the answer to a wrong key on the route of an account, sent through the account itself."""
        if self._controls is None or isinstance(plan, OAuthPlan):
            return None
        wish = _wish(listed, plan, weighed, answered_at)
        return await self._controls.answer(wish, partial(self.ask, listed), (listed.id,))

    async def _asked(
        self, listed: ListedAccount, request: ProbeRequest
    ) -> tuple[ListedAccount, Answer | NoAnswer | GatewayTrouble]:
        """Send one request; if the gateway no longer knows the account, send it again with the refreshed id."""
        try:
            return listed, await self._send(listed, request)
        except UnknownCredential as error:
            began, refreshed = self._clock.monotonic(), await self._refresh(listed)
            if refreshed is None:
                return listed, GatewayTrouble(trouble_reasons(error), self._clock.monotonic() - began)
        try:
            return refreshed, await self._send(refreshed, request)
        except UnknownCredential as error:
            return refreshed, GatewayTrouble(trouble_reasons(error), self._clock.monotonic() - began)

    async def _send(self, listed: ListedAccount, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        """Send one request; while the gateway is away, wait for it instead of blaming the credential.

        While this process cannot confirm that it owns the gateway, the request waits too: it is sent once the lease is
        renewed, and canceled with its visit once the lease is lost.
        """
        began = self._clock.monotonic()
        call = request.call(listed.account.ref)
        tries = 0
        while True:
            late = self._lag()
            try:
                answer = await self._gateway.call(call, timeout=self._settings.timeout_seconds)
                return self._without_own_delay(answer, self._lag() - late)
            except (Unauthorised, Banned, UnknownCredential):
                raise
            except NotOwned:
                await self._clock.sleep(_UNOWNED_SECONDS)
            except GatewayError as error:
                tries += 1
                if tries == _TRIES or not Outage.is_outage(error):
                    return GatewayTrouble(trouble_reasons(error), self._clock.monotonic() - began)
                await self._outage.wait_until_over(error)

    def _without_own_delay(self, answer: Answer | NoAnswer, delay: float) -> Answer | NoAnswer | GatewayTrouble:
        """Take our own delay off an answer's time; a timeout of which it is a good part says nothing of a provider.

        The answer lay ready for some part of the delay: all of it, or none, when the upstream still worked meanwhile.
        So half of it is taken off, and never more than half of the time that was measured.
        """
        timed_out = isinstance(answer, NoAnswer) and answer.kind is NoAnswerKind.TIMEOUT
        if timed_out and delay >= self._settings.timeout_seconds * _OWN_SHARE:
            return GatewayTrouble(because(ReasonCode.SERVICE_TOO_BUSY, seconds=f"{delay:.1f}"), answer.elapsed)
        return replace(answer, elapsed=answer.elapsed - min(delay, answer.elapsed) / 2) if delay > 0 else answer


def _wish(listed: ListedAccount, plan: ProbePlan, attempt: Attempt, answered_at: float) -> ControlWish:
    route = listed.facts.base_url or host_of(attempt.request.url)
    return ControlWish(route, plan.family, attempt, answered_at)
