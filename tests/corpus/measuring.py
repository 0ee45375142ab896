"""Measuring of the verdicts: every scenario through the project's own planner, judge and policy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from adapter.port import Account, Answer, FileRef, NoAnswer, Section, Switch
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.controls import ControlAnswer, ControlRequest
from extension.inspection.probes.judgement import Judgement, judge, next_step
from extension.inspection.probes.plan import NoProbe, plan_probe
from extension.inspection.requests.outcome import Attempt, ProbeRequest, Stage
from extension.inspection.settings import parse_settings
from tests.corpus.scenario import Scenario
from tests.extension.inspection.samples import file_account, key_account

SECTIONS: Final = {section.row.family: section for section in reversed(Section)}
"""First section of each family."""
_RECORDED: Final = {
    ProbeEndpoint.MODELS: ("models",),
    ProbeEndpoint.NATIVE_MODELS: ("models",),
    ProbeEndpoint.CHAT: ("chat", "responses"),
    ProbeEndpoint.MESSAGES: ("messages",),
    ProbeEndpoint.GENERATE: ("generate",),
    ProbeEndpoint.USAGE: ("usage",),
    ProbeEndpoint.BILLING: ("usage",),
}
_ANY: Final = ("usage", "generate", "responses", "messages", "chat", "token")
_REVOKED: Final = ("relogin_needed", "forbidden")
POLICIES: Final = ("first_phase", "configurable")


@dataclass(frozen=True)
class Outcome:
    """One scenario at one depth: its verdict, and the action under each policy."""

    scenario: Scenario
    depth: str
    verdict: str
    reason: str
    actions: dict[str, str]

    @property
    def is_right(self) -> bool:
        """Return whether verdict and actions are as expected; the corpus has no word for a sign-in that was revoked."""
        verdicts = {self.verdict, *(_REVOKED if self.verdict == "revoked" else ())}
        return bool(verdicts & self.scenario.accepted) and self.actions == self._expected

    @property
    def is_wrong_disable(self) -> bool:
        return any(self.actions[policy] == "disable" != self._expected[policy] for policy in POLICIES)

    @property
    def is_false_healthy(self) -> bool:
        return self.verdict == "healthy" and self.scenario.expected["status"] != "healthy"

    @property
    def is_found(self) -> bool:
        return self.scenario.label == "bad_key" and "disable" in self.actions.values()

    @property
    def is_needlessly_inconclusive(self) -> bool:
        return self.verdict == "inconclusive" and "inconclusive" not in self.scenario.accepted

    @property
    def _expected(self) -> dict[str, str]:
        return {policy: self.scenario.expected[f"recommendation_{policy}"] for policy in POLICIES}


@dataclass
class Measure:
    """The figures of some outcomes."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def wrong_disables(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.is_wrong_disable]

    @property
    def false_healthy(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.is_false_healthy]

    @property
    def missed(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.scenario.label == "bad_key" and not outcome.is_found]

    @property
    def inconclusive(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.is_needlessly_inconclusive]

    @property
    def wrong(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if not outcome.is_right]

    @property
    def bad_keys(self) -> int:
        return sum(outcome.scenario.label == "bad_key" for outcome in self.outcomes)

    def differences(self) -> list[str]:
        """Return a line for each check that did not come out as expected."""
        return [
            f"{outcome.scenario.id} ({outcome.depth}): {outcome.verdict}, {outcome.actions}" for outcome in self.wrong
        ]

    def table(self) -> str:
        """Return the figures per provider as text."""
        groups: defaultdict[str, Measure] = defaultdict(Measure)
        for outcome in self.outcomes:
            groups[outcome.scenario.provider].outcomes.append(outcome)
        titles = ("provider", "checks", "right", "wrong dis.", "false ok", "bad keys", "found", "inconcl.")
        lines = [f"{titles[0]:24}" + "".join(f"{title:>11}" for title in titles[1:])]
        lines += [_line(name, group) for name, group in sorted(groups.items())]
        return "\n".join([*lines, _line("all", self)])


def measure(scenarios: Iterable[Scenario]) -> Measure:
    """Judge every scenario at every depth that must give its expected result."""
    return Measure([outcome_of(scenario, depth) for scenario in scenarios for depth in scenario.depths])


def outcome_of(scenario: Scenario, depth: str) -> Outcome:
    """Judge one scenario."""
    account = _account(scenario)
    source = Source.API_KEY if scenario.family in SECTIONS else Source.OAUTH
    settings = parse_settings({"accountSource": source.value, "checkDepth": depth, "retries": 0})
    judgement = _judged(scenario, account, depth)
    enabled = not (isinstance(scenario.history, dict) and scenario.history.get("disabled"))
    by_person = isinstance(scenario.history, dict) and scenario.history.get("disabled_by") == "person"
    actions = {}
    for policy in POLICIES:
        chosen = parse_settings({**settings.as_stored(), "decisionPolicy": policy})
        actions[policy] = recommend(judgement, enabled, chosen, may_enable=not by_person).action.value
    return Outcome(scenario, depth, judgement.verdict.value, judgement.reason.text, actions)


def _judged(scenario: Scenario, account: Account, depth: str) -> Judgement:
    source = "api_key" if scenario.family in SECTIONS else "oauth"
    settings = parse_settings({"accountSource": source, "checkDepth": depth, "retries": 0})
    plan = plan_probe(account, settings, Random(1))
    attempts: list[Attempt] = []
    controls: dict[Stage, ControlAnswer | None] = {}
    if isinstance(plan, NoProbe):
        return judge(plan, attempts, settings)
    while (step := next_step(plan, attempts, controls, settings)) is not None:
        if isinstance(step, ControlRequest):
            controls[step.stage] = scenario.wrong_key_gets(*_recorded(scenario, step.request))
        else:
            attempts.append(Attempt(step, _reply(scenario, step)))
    return judge(plan, attempts, settings, controls=controls)


def _reply(scenario: Scenario, request: ProbeRequest) -> Answer | NoAnswer:
    reply = scenario.account_gets(*_recorded(scenario, request))
    assert reply is not None, f"{scenario.id} has no answer to {request.endpoint}"
    return reply


def _recorded(scenario: Scenario, request: ProbeRequest) -> tuple[str, ...]:
    """Return the names under which a request can be recorded; what an OAuth account got answers any of its checks."""
    if request.stage is Stage.AUTHENTICATED:
        return ("empty_chat", "models")  # a host that refuses a list refuses a chat in the same way, unless recorded
    return _RECORDED[request.endpoint] if scenario.family in SECTIONS else _ANY


def _account(scenario: Scenario) -> Account:
    if scenario.family in SECTIONS:
        return key_account(SECTIONS[scenario.family], base_url=scenario.base_url or None)
    return file_account(
        ref=FileRef(f"{scenario.family}.json"),
        provider=scenario.family,
        base_url=scenario.base_url,
        vendor_project="project",
        switch=Switch.FILE,
    )


def _line(name: str, group: Measure) -> str:
    bad = Counter(outcome.is_found for outcome in group.outcomes if outcome.scenario.label == "bad_key")
    cells = (
        len(group.outcomes), len(group.outcomes) - len(group.wrong), len(group.wrong_disables),
        len(group.false_healthy), bad.total(), bad[True], len(group.inconclusive),
    )  # fmt: skip
    return f"{name:24}" + "".join(f"{cell or '.':>11}" for cell in cells)
