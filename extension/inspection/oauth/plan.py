"""Plans of checks: the requests for an OAuth file, by its own type, in their order."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from adapter.port import TOKEN_PLACEHOLDER, Account, Answer
from extension.inspection.evidence.response_check import doubt
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.answer import usage_in
from extension.inspection.oauth.types import ACCOUNT, PROJECT, TYPES, UNPROBED, OAuthCheck, OAuthType, type_of
from extension.inspection.requests.addresses import has_extras, usable_base
from extension.inspection.requests.bodies import ASKING, question_body
from extension.inspection.requests.outcome import NO_ANSWER_STATUS, Attempt, ProbeRequest, Stage
from extension.inspection.requests.prompts import Prompt, make_prompt
from extension.inspection.requests.vendors import Vendors
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because

STAGES: Final = (Stage.PRIMARY, Stage.FALLBACK, Stage.LAST)
"""The stages of the checks of a type, in their order."""

ABSENT: Final = frozenset({404, 405, 501})
"""Statuses of an address that is not there."""


@dataclass(frozen=True, slots=True)
class OAuthPlan:
    """The checks of one OAuth file in their order, and how often one without an answer may be repeated."""

    type: str
    requests: tuple[ProbeRequest, ...]
    model: str
    prompt: Prompt
    retries: int


@dataclass(frozen=True, slots=True)
class Unplannable:
    """Reason to send no request for an OAuth file."""

    verdict: Verdict
    reason: ReasonList


def plan_checks(
    account: Account, settings: InspectionSettings, random: Random, vendors: Vendors
) -> OAuthPlan | Unplannable:
    """Decide how an OAuth file is checked, or why it is not; the type is the file's own, whatever a run targets."""
    token = type_of(account)
    provider = account.provider.strip().lower()
    if provider in UNPROBED:
        return Unplannable(Verdict.SKIPPED, because(UNPROBED[provider]))
    if not account.probeable:
        return Unplannable(Verdict.SKIPPED, because(ReasonCode.FILE_NOT_USABLE))
    row = TYPES[token]
    if row.needs_project and not account.vendor_project:
        return Unplannable(Verdict.SKIPPED, because(ReasonCode.PROJECT_UNKNOWN))
    model = settings.probe_model.strip() or next(iter(account.models), row.default_model)
    prompt = make_prompt(settings.probe_prompt_mode, random)
    question = _Check(account, row, vendors, model, prompt)
    requests = tuple(
        request
        for stage, check in zip(STAGES, row.checks, strict=False)
        if (request := question.request(stage, check)) is not None
    )
    if not requests:
        return Unplannable(Verdict.NO_BASE_URL, _unaddressed(account))
    return OAuthPlan(token, requests, model, prompt, settings.retries)


def next_check(plan: OAuthPlan, attempts: Sequence[Attempt]) -> ProbeRequest | None:
    """Return the request to send after these attempts, or None when enough is known.

    A check that settles nothing is followed by the next one of the type; the last of them is repeated without an answer
    while retries are left. A failure of the gateway ends it: more of the same proves nothing.
    """
    if not attempts:
        return plan.requests[0]
    last = attempts[-1]
    if last.trouble is not None or settles(plan, last):
        return None
    next_index = plan.requests.index(last.request) + 1
    if next_index < len(plan.requests):
        return plan.requests[next_index]
    repeated = sum(attempt.request == last.request for attempt in attempts) - 1
    return last.request if last.status == NO_ANSWER_STATUS and repeated < plan.retries else None


def settles(plan: OAuthPlan, attempt: Attempt) -> bool:
    """Return whether an answer needs no further check: a refusal, or a success with the requested usage.

    An address that is not there, a vendor in trouble, and a success that tells no use leave the next check to ask.
    """
    answer = attempt.answer
    if not isinstance(answer, Answer) or answer.status in ABSENT or answer.status // 100 == 5:  # noqa: PLR2004 - trouble of the vendor
        return False
    if answer.status // 100 != 2:  # noqa: PLR2004 - not the class of success
        return True
    if doubt(attempt.request.endpoint, answer) is not None:
        return False
    usage = usage_in(plan.type, attempt.request, answer)
    return usage is None or usage.complete or usage.stopped


def counting(plan: OAuthPlan, attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt whose outcome counts.

    That is the one that settled it, or a gateway in trouble. Where none did, it is the first that was answered by
    something that is there, then the first that was answered at all, then the first.
    """
    last = attempts[-1]
    if last.trouble is not None or settles(plan, last):
        return last
    answered = [attempt for attempt in attempts if attempt.status != NO_ANSWER_STATUS]
    there = [attempt for attempt in answered if attempt.status not in ABSENT]
    return next(iter((*there, *answered, attempts[0])))


@dataclass(frozen=True, slots=True)
class _Check:
    """Common parts of all checks of one file."""

    account: Account
    row: OAuthType
    vendors: Vendors
    model: str
    prompt: Prompt

    def request(self, stage: Stage, check: OAuthCheck) -> ProbeRequest | None:
        """Return the request of one check, or None where the file has no address for it."""
        url = self._address(check)
        if url is None:
            return None
        header = {"Accept": "application/json", "Authorization": f"Bearer {TOKEN_PLACEHOLDER}"}
        header |= {
            name: value.replace(ACCOUNT, self.account.vendor_account)
            for name, value in self.row.headers.items()
            if ACCOUNT not in value or self.account.vendor_account
        }
        body = check.body.replace(PROJECT, json.dumps(self.account.vendor_project))
        if check.endpoint in ASKING:
            body = question_body(check.endpoint, self.model, self.prompt.text)
        if body:
            header["Content-Type"] = "application/json"
        return ProbeRequest(stage, check.endpoint, check.method, url, header, body)

    def _address(self, check: OAuthCheck) -> str | None:
        if not check.address.startswith("/"):
            return self.vendors.address(check.address)
        if self.account.base_url:
            base = usable_base(self.account.base_url)
        else:
            base = usable_base(self.vendors.address(self.row.base)) if self.row.base else None
        return f"{base}{check.address}" if base else None


def _unaddressed(account: Account) -> ReasonList:
    if account.base_url:
        extras = has_extras(account.base_url)
        code = ReasonCode.BASE_URL_EXTRAS if extras else ReasonCode.BASE_URL_SCHEME
        return because(code, field="base_url in the file")
    if account.unread:
        return because(ReasonCode.BASE_URL_UNREAD)
    return because(ReasonCode.BASE_URL_MISSING_FILE, type=account.provider.strip() or "unknown")
