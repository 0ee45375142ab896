"""Weighing of answers: the evidence of a probe about its key, and the request that would add to it.

Theory of operation. A status alone does not tell a dead key from a wall in front of the provider. So each answer is
read in this order: a wall says nothing about the key; an answer known by vendor means what its row states; a refusal
is compared with the answer to a wrong key (the control); only then does the table by status decide. A list of models
that is refused counts only once the request that a chat begins with is refused as well, and one that is missing, once
the addresses right below the base URL are missing, too. A list proves a key only where a wrong key does not get it.
Where it is public, a request that costs nothing is compared with its control, and a minimal chat decides if that shows
no difference. After a proof that the key is accepted, only a known answer can blame it, because a later refusal is
mostly about the model, the quota or the request.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapter.port import Answer, NoAnswer
from adapter.privacy.secret import Redactor
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.answers.matcher import QUOTED, row_for
from extension.inspection.evidence.answers.meaning import KEY_MEANINGS, Meaning
from extension.inspection.evidence.error_body import blames_the_question, parse_error_body
from extension.inspection.evidence.response_check import doubt
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.wall import wall_of
from extension.inspection.probes.controls import (
    ControlRequest,
    Controls,
    accepts,
    is_about_the_key,
    is_same,
    refuses,
    tells,
)
from extension.inspection.probes.decisive import decisive, is_absent, is_success
from extension.inspection.probes.findings import (
    ProbeFinding,
    by_table,
    of_code,
    of_missing,
    of_refused_key,
    of_row,
    of_trouble,
    of_wall,
)
from extension.inspection.probes.places import EVIDENCE_STAGES, evidence_at_hand, newest
from extension.inspection.probes.plan import Evidence, ProbePlan
from extension.inspection.requests.outcome import Attempt, ProbeRequest, Stage
from extension.inspection.settings import CheckDepth, InspectionSettings
from extension.reasons.codes import ReasonCode

_CATALOGUES: Final = frozenset({ProbeEndpoint.MODELS, ProbeEndpoint.NATIVE_MODELS})
_SETTLED: Final = KEY_MEANINGS | {Meaning.OUT_OF_QUOTA, Meaning.BLOCKED}
"""Meanings of the authenticated request that settle a check; any other is about its empty body, or the moment."""
_UNAUTHORISED: Final = 401
_FORBIDDEN: Final = 403
_REFUSALS: Final = frozenset({401, 402, 403, 429})
_STATUSES: Final = range(100, 600)
_ABOUT_THE_HOST: Final = frozenset({Verdict.PROVIDER_ERROR, Verdict.RATE_LIMITED, Verdict.INCONCLUSIVE})
"""Findings that hold without a key as well."""

Weighed = ProbeFinding | ProbeRequest | ControlRequest
"""Finding, or the request whose answer is needed for one."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weighing of the answers of one probe; pure, so that it can be repeated after each answer."""

    plan: ProbePlan
    attempts: Sequence[Attempt]
    controls: Controls
    settings: InspectionSettings
    redactor: Redactor

    def step(self) -> Weighed:
        """Return the finding, or the request that comes next once the table of families asks for none."""
        later = [place for place, attempt in enumerate(self.attempts) if attempt.request.stage in EVIDENCE_STAGES]
        if self.attempts[-1].trouble is not None:
            return of_trouble(self.attempts[-1])
        counted = decisive(self.attempts[: later[0]] if later else self.attempts)
        if self.plan.keyless:
            return self._keyless(counted)
        if counted.request.endpoint in _CATALOGUES and self._is_credible(counted):
            return self._catalogue(counted)
        return self._followed(counted) if self._is_followed(counted) else self._answer(counted)

    def _keyless(self, counted: Attempt) -> Weighed:
        """Weigh the answer to a request without a key; there is no key that a refusal could be about."""
        answer = counted.answer
        if isinstance(answer, NoAnswer):
            return of_missing(counted, answer, self.redactor)
        answer = _answer_of(counted)
        wall = wall_of(answer, counted.request.url)
        if wall is not None:
            return of_wall(counted, answer, wall)
        if self._is_credible(counted):
            return of_code(counted, answer, Verdict.HEALTHY, ReasonCode.NO_KEY_REQUIRED)
        finding = by_table(self.plan, counted, answer)
        if answer.status in _STATUSES and finding.verdict in _ABOUT_THE_HOST:
            return finding
        refused = answer.status in {_UNAUTHORISED, _FORBIDDEN}
        code = ReasonCode.KEY_WANTED if refused else ReasonCode.REQUEST_REFUSED
        return of_code(counted, answer, Verdict.INCONCLUSIVE, code)

    def _catalogue(self, counted: Attempt) -> Weighed:
        """Weigh a list of models: proof of the key where a wrong key does not get it."""
        request = counted.request
        if request.stage not in self.controls:
            return ControlRequest(request)
        control = self.controls[request.stage]
        if accepts(control, request):
            return self._public(counted)
        finding = by_table(self.plan, counted, _answer_of(counted))
        return self._accepted(finding) if tells(control, request) else self._unproven(counted, finding)

    def _is_followed(self, counted: Attempt) -> bool:
        """Return whether a list of models is refused or missing, and another request can tell more."""
        answer = counted.answer
        if not isinstance(answer, Answer) or not self._evidence or answer.status // 100 == 2:  # noqa: PLR2004 - the class of success
            return False
        if counted.request.endpoint in _CATALOGUES:
            return wall_of(answer, counted.request.url) is None
        return bool(self.plan.evidence_below) and counted.request.stage is Stage.FALLBACK and is_absent(counted)

    def _followed(self, counted: Attempt) -> Weighed:
        """Weigh a list that is refused or missing together with the authenticated request."""
        authenticated = self._sent(Stage.AUTHENTICATED)
        if authenticated is None:
            return self._evidence[Stage.AUTHENTICATED]
        if not isinstance(authenticated.answer, Answer) or is_absent(authenticated):
            return self._answer(counted)
        if _agree(counted, authenticated):
            return self._answer(authenticated)
        known = self._settled(authenticated, authenticated.answer)
        return known or self._authenticated(authenticated, authenticated.answer)

    def _unproven(self, counted: Attempt, finding: ProbeFinding) -> Weighed:
        """Weigh a list of models that may be public, as no control tells: the authenticated request can only blame."""
        authenticated = self._sent(Stage.AUTHENTICATED)
        if authenticated is None and Stage.AUTHENTICATED in self._evidence:
            return self._evidence[Stage.AUTHENTICATED]
        if (
            authenticated is None
            or not isinstance(authenticated.answer, Answer)
            or wall_of(authenticated.answer, authenticated.request.url) is not None
        ):
            return self._accepted(finding)
        known = self._settled(authenticated, authenticated.answer)
        if known is not None:
            return known
        if authenticated.status == _UNAUTHORISED:
            return self._unauthorised(authenticated, authenticated.answer)
        if authenticated.status != _FORBIDDEN:
            return self._accepted(finding)
        return of_code(counted, _answer_of(counted), Verdict.INCONCLUSIVE, ReasonCode.CATALOGUE_PUBLIC)

    def _accepted(self, finding: ProbeFinding) -> Weighed:
        """Go on to the minimal chat where the settings ask for it."""
        if self.settings.check_depth is not CheckDepth.USABLE or Stage.QUESTION not in self._evidence:
            return finding
        chat = self._sent(Stage.QUESTION)
        return self._evidence[Stage.QUESTION] if chat is None else self._answer(chat, accepted=True)

    def _public(self, counted: Attempt) -> Weighed:
        """Weigh the authenticated request: only its difference from the control proves the key."""
        if Stage.AUTHENTICATED not in self._evidence:
            return of_code(counted, _answer_of(counted), Verdict.INCONCLUSIVE, ReasonCode.CATALOGUE_PUBLIC)
        authenticated = self._sent(Stage.AUTHENTICATED)
        if authenticated is None:
            return self._evidence[Stage.AUTHENTICATED]
        if not isinstance(authenticated.answer, Answer):
            return of_code(counted, _answer_of(counted), Verdict.INCONCLUSIVE, ReasonCode.CATALOGUE_PUBLIC)
        return self._settled(authenticated, authenticated.answer) or self._authenticated(
            authenticated, authenticated.answer
        )

    def _settled(self, authenticated: Attempt, answer: Answer) -> Weighed | None:
        """Return what a known answer to the authenticated request settles."""
        known = self._known(authenticated, answer, _SETTLED)
        blames = known is not None and known.verdict in {Verdict.INVALID_KEY, Verdict.FORBIDDEN}
        if blames and is_success(authenticated):
            return self._told_as_success(authenticated, answer, known)
        return known

    def _authenticated(self, authenticated: Attempt, answer: Answer) -> Weighed:
        """Compare the answer to the authenticated request with the answer to a wrong key."""
        if answer.status == _UNAUTHORISED:
            return self._unauthorised(authenticated, answer)
        if Stage.AUTHENTICATED not in self.controls:
            return ControlRequest(authenticated.request)
        control = self.controls[Stage.AUTHENTICATED]
        if accepts(control, authenticated.request) and is_success(authenticated):
            return of_code(authenticated, answer, Verdict.HEALTHY, ReasonCode.NO_KEY_REQUIRED)
        if not refuses(control, authenticated.request) or is_same(answer, control, authenticated.request):
            return self._question()
        if answer.status == _FORBIDDEN:
            known = row_for(answer, authenticated.request.url)
            return by_table(self.plan, authenticated, answer) if known is None else self._question()
        return self._accepted(of_code(authenticated, answer, Verdict.HEALTHY, ReasonCode.KEY_ACCEPTED))

    def _unauthorised(self, authenticated: Attempt, answer: Answer) -> Weighed:
        """Weigh a 401 of the authenticated request; one that a row reads otherwise is no refusal of the key."""
        if self._may_be_misplaced or row_for(answer, authenticated.request.url) is not None:
            return self._question()
        return by_table(self.plan, authenticated, answer)

    def _question(self) -> Weighed:
        """Weigh the minimal chat, which decides where nothing before it proved the key."""
        chat = self._sent(Stage.QUESTION)
        if chat is None:
            return self._evidence[Stage.QUESTION]
        confirming = self.plan.requests.get(Stage.CONFIRMED_FALLBACK)
        if confirming is not None and chat.status in {_UNAUTHORISED, _FORBIDDEN}:
            chat = self._sent(Stage.CONFIRMED_FALLBACK)
            if chat is None:
                return confirming
        if isinstance(chat.answer, Answer) and chat.answer.status // 100 == 5:  # noqa: PLR2004 - trouble of the host
            # A relay without a channel says so: its list was served, and nothing was refused.
            known = self._known(chat, chat.answer, frozenset(Meaning))
            return known or of_code(chat, chat.answer, Verdict.INCONCLUSIVE, self._unproven_code)
        if not self._is_credible(chat):
            return self._answer(chat)
        if chat.request.stage not in self.controls:
            return ControlRequest(chat.request)
        free = accepts(self.controls[chat.request.stage], chat.request)
        code = ReasonCode.NO_KEY_REQUIRED if free else ReasonCode.KEY_ACCEPTED
        return of_code(chat, _answer_of(chat), Verdict.HEALTHY, code)

    def _answer(self, counted: Attempt, *, accepted: bool = False) -> Weighed:
        """Weigh one answer in the order of precedence; ``accepted`` says that an earlier one proved the key."""
        answer = counted.answer
        if isinstance(answer, NoAnswer):
            return of_missing(counted, answer, self.redactor)
        answer = _answer_of(counted)
        known = self._known(counted, answer, frozenset(Meaning))
        if known is not None and accepted:
            return self._own_refusal(counted, answer, known)
        refused = is_success(counted) and not self._is_credible(counted)
        if refused and is_about_the_key(answer, counted.request.url):
            return self._told_as_success(counted, answer, known)
        return known or self._by_status(counted, answer, accepted=accepted)

    def _by_status(self, counted: Attempt, answer: Answer, *, accepted: bool) -> Weighed:
        """Weigh an answer that no row reads by its status, and where that does not tell, by the control."""
        if answer.status not in _STATUSES:
            return of_code(counted, answer, Verdict.INCONCLUSIVE, ReasonCode.BAD_STATUS)
        asks_about_model = blames_the_question(counted.request.endpoint, answer.status, parse_error_body(answer))
        if accepted and answer.status in {_UNAUTHORISED, _FORBIDDEN} and not asks_about_model:
            return of_code(counted, answer, Verdict.INCONCLUSIVE, ReasonCode.ACCEPTED_BEFORE)
        finding = by_table(self.plan, counted, answer)
        compared = finding.verdict is Verdict.REJECTED or answer.status == _FORBIDDEN
        if not compared or asks_about_model:
            return finding
        return self._compared(counted, answer, finding, accepted=accepted)

    def _told_as_success(self, counted: Attempt, answer: Answer, known: ProbeFinding | None) -> Weighed:
        """Weigh a refusal told as 2xx: about the key unless a wrong key is refused in another way.

        A host that refuses a wrong key by its status has accepted this one, and passes on what its upstream says.
        """
        request = counted.request
        if request.stage not in self.controls:
            return ControlRequest(request)
        control = self.controls[request.stage]
        if isinstance(control, Answer) and control.status in {_UNAUTHORISED, _FORBIDDEN} and tells(control, request):
            return by_table(self.plan, counted, answer)
        row = row_for(answer, request.url)
        exact = row is not None and row.reads_status(answer.status)
        if known is not None and (exact or tells(control, request)):
            return known
        same = is_same(answer, control, request)
        return of_refused_key(counted, answer) if same else by_table(self.plan, counted, answer)

    def _own_refusal(self, counted: Attempt, answer: Answer, known: ProbeFinding) -> Weighed:
        """Weigh a known answer after a proof of the key: a relay passes on what its upstream says of another key."""
        request = counted.request
        if row_for(answer, request.url) is QUOTED and answer.status in {_UNAUTHORISED, _FORBIDDEN}:
            return of_code(counted, answer, Verdict.INCONCLUSIVE, ReasonCode.ACCEPTED_BEFORE)
        if known.verdict is not Verdict.INVALID_KEY:
            return known
        if request.stage not in self.controls:
            return ControlRequest(request)
        if is_same(answer, self.controls[request.stage], request):
            return known
        return of_code(counted, answer, Verdict.INCONCLUSIVE, ReasonCode.ACCEPTED_BEFORE)

    def _compared(self, counted: Attempt, answer: Answer, finding: ProbeFinding, *, accepted: bool) -> Weighed:
        """Compare a 403, or a 3xx or 4xx that is not about the key, with the answer to a wrong key."""
        request = counted.request
        if not accepted and request.stage not in self.controls:
            return ControlRequest(request)
        same = not accepted and is_same(answer, self.controls[request.stage], request)
        if finding.verdict is not Verdict.REJECTED:
            if same:
                return of_code(counted, answer, Verdict.BLOCKED, ReasonCode.SAME_FOR_ANY_KEY)
            return finding
        code = ReasonCode.CHECK_BASE_URL if same else ReasonCode.REQUEST_REFUSED
        return of_code(counted, answer, Verdict.INCONCLUSIVE, code)

    def _known(self, counted: Attempt, answer: Answer, meanings: frozenset[Meaning]) -> ProbeFinding | None:
        """Return the finding of a wall or of a row with one of some meanings; a credible success is neither."""
        wall = wall_of(answer, counted.request.url)
        if wall is not None:
            return of_wall(counted, answer, wall)
        if self._is_credible(counted):
            return None
        row = row_for(answer, counted.request.url)
        return of_row(self.plan, counted, answer, row) if row is not None and row.meaning in meanings else None

    @property
    def _may_be_misplaced(self) -> bool:
        """Return whether a refusal counts only once the vendor's own header confirmed it."""
        return Stage.CONFIRMED_FALLBACK in self.plan.requests

    @property
    def _unproven_code(self) -> ReasonCode:
        listed = any(attempt.request.endpoint in _CATALOGUES and is_success(attempt) for attempt in self.attempts)
        return ReasonCode.CATALOGUE_PUBLIC if listed else ReasonCode.REQUEST_REFUSED

    @property
    def _evidence(self) -> Evidence:
        return evidence_at_hand(self.plan, self.attempts)

    def _sent(self, stage: Stage) -> Attempt | None:
        return newest(self.attempts, stage, self._evidence)

    @staticmethod
    def _is_credible(attempt: Attempt) -> bool:
        answer = attempt.answer
        return is_success(attempt) and isinstance(answer, Answer) and doubt(attempt.request.endpoint, answer) is None


def _agree(refused: Attempt, authenticated: Attempt) -> bool:
    """Return whether a list and the authenticated request are refused in the same way."""
    status, former = authenticated.status or 0, refused.status or 0
    return status == former if status in _REFUSALS else status // 100 == former // 100 == 5  # noqa: PLR2004 - trouble of the host


def _answer_of(attempt: Attempt) -> Answer:
    if not isinstance(attempt.answer, Answer):
        raise TypeError("an attempt without trouble has an answer or none")
    return attempt.answer
