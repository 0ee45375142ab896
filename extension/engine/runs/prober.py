"""Prober: sends one account's requests through the gateway, judges the answers, and returns the result."""

import traceback
from random import Random

import structlog

from adapter.clock import Clock
from adapter.port import Answer, Calls, GatewayError, NoAnswer
from adapter.port.errors import Banned, Unauthorised, UnknownCredential
from adapter.privacy.secret import Redactor
from extension.engine.outage import Outage, backoff
from extension.engine.pool.credential import Credential
from extension.engine.pool.refresh import Refresh, no_refresh
from extension.engine.runs.control_prober import ControlProber, ControlWish
from extension.engine.runs.verdict_history import VerdictHistory, no_verdict_history
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.finding import thresholds_of
from extension.inspection.oauth.plan import OAuthPlan
from extension.inspection.policy.recommendation import Recommendation, recommend
from extension.inspection.probes.controls import ControlAnswer, ControlRequest
from extension.inspection.probes.judgement import Judgement, judge, next_step
from extension.inspection.probes.plan import NoProbe, ProbePlan, plan_probe
from extension.inspection.probes.traffic_skip import spared
from extension.inspection.requests.addresses import host_of
from extension.inspection.requests.outcome import Attempt, GatewayTrouble, ProbeRequest, Stage
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.inspection.settings import InspectionSettings
from extension.store.errors import StoreError
from extension.store.records import AccountFacts, AttemptRecord, NewResult, WindowRecord

_LOG = structlog.get_logger("poolkeeper.probe")

_TRIES = 3
"""How often a call is tried that the gateway, not the upstream, did not answer."""
_DEFECT = "Not checked: an internal error ({error}) ended the check. See the service's log."
_VANISHED = "No longer in the pool, so no probe was sent."


class Prober:
    """Probes the accounts of one run, with its settings."""

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
        vendors: Vendors = PUBLIC,
        verdict_history: VerdictHistory = no_verdict_history,
        refresh: Refresh = no_refresh,
        controls: ControlProber | None = None,
    ) -> None:
        self._gateway = gateway
        self._clock = clock
        self._redactor = redactor
        self._settings = settings
        self._random = random
        self._run_id = run_id
        self._outage = outage
        self._vendors = vendors
        self._verdict_history = verdict_history
        self._refresh = refresh
        self._controls = controls

    async def probe(self, credential: Credential, *, never_probe: bool = False) -> NewResult:
        """Send the requests of one probe and judge the answers; before a request is repeated there is a pause.

        Trouble with the gateway is the verdict `unknown`, because it says nothing about the credential. The result is
        about the account as it was when it was asked: if the gateway knew it by another name by then, as it was then.

        Raises:
            Unauthorised: our own key is refused: everything has to stop.
            Banned: our own address is locked out: everything has to stop.
            GatewayError: the gateway stays away.
        """
        plan = spared(credential.account, self._settings) or plan_probe(
            credential.account, self._settings, self._random, self._vendors, never_probe=never_probe
        )
        try:
            credential, judgement = await self._judged(credential, plan)
        except (GatewayError, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - one account's defect never ends the run
            # Not quoted: an unforeseen error may hold a secret.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place, kind = f"{frame.filename}:{frame.lineno}", type(error).__name__
            _LOG.error("probe-failed", run=self._run_id, account=credential.id, error=kind, place=place)
            judgement = Judgement(Verdict.UNKNOWN, _DEFECT.format(error=type(error).__name__))
        revoked = judgement.verdict is Verdict.REVOKED
        advice = recommend(
            judgement,
            credential.enabled,
            self._settings,
            may_enable=credential.switchable,
            history=await self._verdict_history(credential.id) if revoked else (),
            now=self._clock.now_ms(),
        )
        result = self._result(
            credential.id, credential.facts, credential.enabled, judgement, advice, revisions=credential.revisions
        )
        _log(result)
        return result

    def vanished(self, account_id: int, facts: AccountFacts) -> NewResult:
        """Return the result of an account that left the pool before its probe."""
        judgement = Judgement(Verdict.SKIPPED, _VANISHED)
        return self._result(account_id, facts, None, judgement, Recommendation(Action.KEEP, judgement.reason))

    async def _judged(
        self, credential: Credential, plan: ProbePlan | OAuthPlan | NoProbe
    ) -> tuple[Credential, Judgement]:
        """Send the requests of a plan and their controls until enough is known, and judge the answers."""
        attempts: list[Attempt] = []
        controls: dict[Stage, ControlAnswer | None] = {}
        answered: dict[Stage, float] = {}
        while not isinstance(plan, NoProbe):
            step = next_step(plan, attempts, controls, self._settings)
            if step is None:
                break
            if isinstance(step, ControlRequest):
                judged = next(each for each in reversed(attempts) if each.request.stage is step.stage)
                controls[step.stage] = await self._controlled(credential, plan, judged, answered[step.stage])
                continue
            again = sum(attempt.request is step for attempt in attempts)
            if again:
                await self._clock.sleep(backoff(again, self._random))
            credential, answer = await self._asked(credential, step)
            attempts.append(Attempt(step, answer))
            answered[step.stage] = self._clock.monotonic()
        return credential, judge(plan, attempts, self._settings, self._redactor, controls=controls)

    async def _controlled(
        self, credential: Credential, plan: ProbePlan | OAuthPlan, judged: Attempt, answered_at: float
    ) -> ControlAnswer | None:
        """Return what a wrong key gets on the route of an account, sent through the account itself."""
        if self._controls is None or isinstance(plan, OAuthPlan):
            return None

        async def send(request: ProbeRequest) -> ControlAnswer:
            return (await self._asked(credential, request))[1]

        route = credential.facts.base_url or host_of(judged.request.url)
        return await self._controls.answer(ControlWish(route, plan.family, judged, answered_at), send)

    async def _asked(
        self, credential: Credential, request: ProbeRequest
    ) -> tuple[Credential, Answer | NoAnswer | GatewayTrouble]:
        """Send one request; if the gateway no longer knows the account, send it again with the refreshed id."""
        try:
            return credential, await self._send(credential, request)
        except UnknownCredential as error:
            began, found = self._clock.monotonic(), await self._refresh(credential)
            if found is None:
                return credential, GatewayTrouble(error.text, self._clock.monotonic() - began)
        try:
            return found, await self._send(found, request)
        except UnknownCredential as error:
            return found, GatewayTrouble(error.text, self._clock.monotonic() - began)

    async def _send(self, credential: Credential, request: ProbeRequest) -> Answer | NoAnswer | GatewayTrouble:
        """Send one request; while the gateway is away, wait for it instead of blaming the credential."""
        began = self._clock.monotonic()
        call = request.call(credential.account.ref)
        tries = 0
        while True:
            tries += 1
            try:
                return await self._gateway.call(call, timeout=self._settings.timeout_seconds)
            except (Unauthorised, Banned, UnknownCredential):
                raise
            except GatewayError as error:
                if tries == _TRIES or not Outage.is_outage(error):
                    return GatewayTrouble(error.text, self._clock.monotonic() - began)
                await self._outage.wait_until_over(error)

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
            at=self._clock.now_ms(),
            revisions=revisions,
            windows=self._windows(judgement),
            resets_at=judgement.resets_at,
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
