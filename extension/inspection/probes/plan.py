"""Plans of probes: which requests tell whether a credential works, and in which order they are sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Final

from adapter.port import Account
from extension.inspection.accounts.account import Source, classify
from extension.inspection.accounts.families import (
    CREDENTIAL_HEADERS,
    FAMILIES,
    VENDOR_OWN_HOST,
    CredentialPlace,
    Family,
    FamilyRow,
    ProbeEndpoint,
    family_of,
    public_address,
)
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.plan import OAuthPlan, Unplannable, next_check, plan_checks
from extension.inspection.probes.controls import without_key
from extension.inspection.probes.decisive import ABSENT, is_absent
from extension.inspection.requests.addresses import (
    address_below,
    endpoint_address,
    has_extras,
    is_at_home,
    models_address,
    usable_base,
)
from extension.inspection.requests.bodies import ASKING, EMPTY_BODY, TOKEN_CAP, question_body
from extension.inspection.requests.outcome import NO_ANSWER_STATUS, Attempt, ProbeRequest, Stage
from extension.inspection.requests.prompts import LONGEST, Prompt, make_prompt
from extension.inspection.requests.vendors import PUBLIC, Vendors
from extension.inspection.settings import InspectionSettings, ModelsPath, PromptMode
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because

WRAPPING_TOKENS: Final = 16
"""Tokens a chat may count beyond the text of a question and its answer: roles and marks around each message."""

FALLBACK_STATUSES: Final = frozenset({NO_ANSWER_STATUS, 404, 405, 501})
"""Statuses of a primary request after which the fallback is tried; any other one stands by itself."""

REFUSALS: Final = frozenset({401, 403})
"""Statuses that count only once confirmed where a host may want the key in the vendor's own header."""

_FOLLOWING: Mapping[Stage, tuple[tuple[frozenset[int], Stage], ...]] = MappingProxyType(
    {
        Stage.PRIMARY: ((FALLBACK_STATUSES, Stage.FALLBACK), (REFUSALS, Stage.CONFIRMED_PRIMARY)),
        Stage.FALLBACK: ((REFUSALS, Stage.CONFIRMED_FALLBACK), (ABSENT, Stage.LAST)),
        Stage.LAST: (),
        Stage.CONFIRMED_PRIMARY: ((FALLBACK_STATUSES, Stage.CONFIRMED_FALLBACK),),
        Stage.CONFIRMED_FALLBACK: (),
        Stage.AUTHENTICATED: (),
        Stage.QUESTION: (),
    }
)


Evidence = Mapping[Stage, ProbeRequest]
"""The requests of one address that may follow where those of the table prove too little."""


@dataclass(frozen=True, slots=True)
class NoProbe:
    """No request is sent for an account: the verdict and the reason."""

    verdict: Verdict
    reason: ReasonList


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """The requests of one probe by stage, and how often one without an answer may be repeated.

    `requests` are those of the table of families. `evidence` are the ones that may follow where these prove too little.
    `evidence_below` holds the same for each endpoint right below the base URL, where the gateway sends its traffic.
    `keyless` says that the requests carry no key, because the entry has none by design.
    """

    family: Family
    requests: Mapping[Stage, ProbeRequest]
    model: str
    prompt: Prompt
    retries: int
    evidence: Evidence = field(default_factory=lambda: MappingProxyType({}))
    keyless: bool = False
    evidence_below: tuple[Evidence, ...] = ()


def plan_probe(
    account: Account,
    settings: InspectionSettings,
    random: Random,
    vendors: Vendors = PUBLIC,
    *,
    never_probe: bool = False,
) -> ProbePlan | OAuthPlan | NoProbe:
    """Decide how an account is probed, each by its own type, or why it is not.

    `vendors` says where public addresses are called; `never_probe` that a person wants this account left alone.
    """
    if never_probe:
        return NoProbe(Verdict.SKIPPED, because(ReasonCode.EXCLUDED))
    if classify(account) is Source.OAUTH:
        checks = plan_checks(account, settings, random, vendors)
        return NoProbe(checks.verdict, checks.reason) if isinstance(checks, Unplannable) else checks
    family = family_of(account)
    if family is None:
        provider = account.provider or "no provider given"
        return NoProbe(Verdict.SKIPPED, because(ReasonCode.NO_CHECK_FOR_PROVIDER, provider=provider))
    keyless = account.no_probe == "keyless" and settings.evidence_checks
    if not (account.probeable or account.detached) or (account.no_probe and not keyless):
        return NoProbe(Verdict.SKIPPED, _unprobeable(account))
    row = FAMILIES[family]
    base = usable_base(account.base_url)
    public = public_address(account)
    if base is None and settings.family_default_address and not account.base_url:
        base = usable_base(vendors.address(public)) if public else None
    if base is None:
        return NoProbe(Verdict.NO_BASE_URL, _unaddressed(account, public))
    model = settings.probe_model.strip() or next(iter(account.models), row.default_model)
    prompt = make_prompt(settings.probe_prompt_mode, random)
    question = _Step(family, base, settings.models_path, model, prompt)
    requests = {
        stage: question.request(stage, endpoint, credential) for stage, endpoint, credential in _stages(row, base)
    }
    if keyless:
        requests = {stage: without_key(request) for stage, request in requests.items()}
    compared = settings.evidence_checks and not keyless
    evidence = evidence_with(requests.get(Stage.FALLBACK)) if compared else {}
    below = _below(question, row, requests) if compared else []
    requests |= {request.stage: request for request in below if request.stage is Stage.LAST}
    return ProbePlan(
        family,
        MappingProxyType(requests),
        model,
        prompt,
        settings.retries,
        MappingProxyType(evidence),
        keyless=keyless,
        evidence_below=tuple(evidence_with(request) for request in below if request.stage is not Stage.LAST),
    )


def next_request(plan: ProbePlan | OAuthPlan, attempts: Sequence[Attempt]) -> ProbeRequest | None:
    """Return the request to send after these attempts, or None when enough is known.

    ``plan.retries`` counts the requests sent after one without an answer; the fallback is one of them,
    since it asks the same host again. Trouble with the gateway ends a probe: more of the same proves nothing.
    """
    if isinstance(plan, OAuthPlan):
        return next_check(plan, attempts)
    if not attempts:
        return plan.requests[Stage.PRIMARY]
    last = attempts[-1]
    status = last.status
    if status is None:
        return None
    if last.request.stage is Stage.FALLBACK and status in ABSENT and not is_absent(last):
        return None
    stages = (stage for statuses, stage in _FOLLOWING[last.request.stage] if status in statuses)
    following = next((plan.requests[stage] for stage in stages if stage in plan.requests), None)
    if status == NO_ANSWER_STATUS:
        unanswered = sum(attempt.status == NO_ANSWER_STATUS for attempt in attempts)
        retries_left = plan.retries - (unanswered - 1)
        if retries_left >= (2 if following else 1):
            return last.request
    return following


def most_requests(plan: ProbePlan | OAuthPlan) -> int:
    """Return the largest number of requests a probe can take; controls, which accounts share, are not among them."""
    evidence = 0 if isinstance(plan, OAuthPlan) else len(plan.evidence) + len(plan.evidence_below)
    return len(plan.requests) + evidence + plan.retries


def most_tokens(plan: ProbePlan | OAuthPlan, mode: PromptMode) -> int:
    """Return the largest number of tokens a probe can cost, questions and answers together.

    A token has at least one byte, so that a question costs at most its bytes and the wrapping of a chat; the
    longest prompt of the mode counts. Only requests that ask a model cost anything; each retry may be one of them.
    """
    requests = plan.requests if isinstance(plan, OAuthPlan) else (*plan.requests.values(), *plan.evidence.values())
    asking = sum(request.endpoint in ASKING and request.body != EMPTY_BODY for request in requests)
    tokens_per_request = TOKEN_CAP + WRAPPING_TOKENS + LONGEST[mode]
    return tokens_per_request * (asking + plan.retries) if asking else 0


def _unprobeable(account: Account) -> ReasonList:
    if account.no_probe:
        return because(ReasonCode.NO_KEY)
    off = account.enabled is False
    return because(ReasonCode.DISABLED_IN_CONFIGURATION if off else ReasonCode.NOT_USABLE)


def _unaddressed(account: Account, public: str | None) -> ReasonList:
    if account.base_url:
        extras = has_extras(account.base_url)
        return because(ReasonCode.BASE_URL_EXTRAS if extras else ReasonCode.BASE_URL_SCHEME, field="base-url")
    return because(ReasonCode.BASE_URL_MISSING_PUBLIC if public else ReasonCode.BASE_URL_MISSING)


def _stages(row: FamilyRow, base: str) -> list[tuple[Stage, ProbeEndpoint, CredentialPlace]]:
    """List the stages of a family at this host, each with its endpoint and the place of the credential."""
    home = row.credential_at_home
    credential = home if home and is_at_home(base, VENDOR_OWN_HOST) else row.credential
    stages = [(Stage.PRIMARY, row.primary, credential)]
    if row.fallback:
        stages.append((Stage.FALLBACK, row.fallback, credential))
    if home and credential is not home:
        stages.append((Stage.CONFIRMED_PRIMARY, row.primary, home))
        if row.fallback:
            stages.append((Stage.CONFIRMED_FALLBACK, row.fallback, home))
    return stages


def evidence_with(chat: ProbeRequest | None) -> Evidence:
    """Return the requests that may follow a list of models: one that costs nothing, and a minimal chat."""
    if chat is None:
        return {}
    return {
        Stage.AUTHENTICATED: replace(chat, stage=Stage.AUTHENTICATED, body=EMPTY_BODY),
        Stage.QUESTION: replace(chat, stage=Stage.QUESTION),
    }


def _below(question: "_Step", row: FamilyRow, requests: Mapping[Stage, ProbeRequest]) -> list[ProbeRequest]:
    """Return the requests to addresses right below the base URL that are not asked anyway; the list of models first."""
    endpoints = ((Stage.LAST, row.primary), *((Stage.FALLBACK, endpoint) for endpoint in row.below_base))
    below = (question.below(stage, endpoint, row.credential) for stage, endpoint in endpoints if row.below_base)
    asked_anyway = {request.url for request in requests.values()}
    return [request for request in below if request.url not in asked_anyway]


@dataclass(frozen=True, slots=True)
class _Step:
    """Common parts of all requests of one probe."""

    family: Family
    base: str
    models_path: ModelsPath
    model: str
    prompt: Prompt

    def request(self, stage: Stage, endpoint: ProbeEndpoint, credential: CredentialPlace) -> ProbeRequest:
        """Return the request of one stage."""
        header = _header(self.family, credential, asking=endpoint in ASKING)
        if endpoint is ProbeEndpoint.MODELS:
            return ProbeRequest(stage, endpoint, "GET", models_address(self.base, self.models_path), header)
        url = endpoint_address(self.base, endpoint, model=self.model)
        if endpoint is ProbeEndpoint.NATIVE_MODELS:
            return ProbeRequest(stage, endpoint, "GET", url, header)
        body = question_body(endpoint, self.model, self.prompt.text)
        return ProbeRequest(stage, endpoint, "POST", url, header, body)

    def below(self, stage: Stage, endpoint: ProbeEndpoint, credential: CredentialPlace) -> ProbeRequest:
        """Return a request to the address right below the base URL."""
        return replace(self.request(stage, endpoint, credential), url=address_below(self.base, endpoint))


@cache
def _header(family: Family, credential: CredentialPlace, *, asking: bool) -> Mapping[str, str]:
    """Return the headers of a request; there are only so many, and every probe needs some."""
    header = {"Accept": "application/json", **FAMILIES[family].headers, **CREDENTIAL_HEADERS[credential]}
    return MappingProxyType({**header, "Content-Type": "application/json"} if asking else header)
