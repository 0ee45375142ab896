"""The demo pool against the decisions of the inspection, over real HTTP but without a gateway."""

from collections.abc import AsyncIterator
from random import SystemRandom

import pytest
from aiohttp import ClientError, ClientSession, ClientTimeout

from adapter.port import BODY_LIMIT, Account, Answer, KeyRef, NoAnswer, NoAnswerKind, Revision, Section, Switch
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.judgement import Judgement, judge
from extension.inspection.probes.plan import next_request, plan_probe
from extension.inspection.requests.outcome import Attempt, ProbeRequest
from extension.inspection.settings import parse_settings
from tools.project.demo.providers import Providers, start_providers
from tools.project.demo.rows import DEMO_ROWS, DemoRow

FIRST_PHASE = parse_settings({"accountSource": "api_key"})
CONFIGURABLE = parse_settings({"accountSource": "api_key", "decisionPolicy": "configurable"})

# name, verdict, first_phase, configurable
TABLE = [
    ("ok", "healthy", "keep", "keep"),
    ("wrong-key", "invalid_key", "disable", "disable"),
    ("forbidden", "forbidden", "disable", "disable"),
    ("unpaid", "out_of_quota", "disable", "keep"),
    ("rate-limited", "rate_limited", "disable", "keep"),
    ("weekly-limit", "out_of_quota", "disable", "keep"),
    ("failing", "provider_error", "disable", "keep"),
    ("no-models", "healthy", "keep", "keep"),
    ("no-get", "healthy", "keep", "keep"),
    ("other-model", "inconclusive", "keep", "keep"),
    ("slow", "healthy", "keep", "keep"),
    ("silent", "unreachable", "disable", "disable"),
    ("closing", "unreachable", "disable", "disable"),
    ("web-page", "blocked", "keep", "keep"),
    ("big", "healthy", "keep", "keep"),
    ("big-failing", "provider_error", "disable", "keep"),
    ("duo-good", "healthy", "keep", "keep"),
    ("duo-bad", "invalid_key", "disable", "disable"),
    ("switched-off", "healthy", "enable", "enable"),
    ("claude-ok", "healthy", "keep", "keep"),
    ("claude-wrong-key", "invalid_key", "disable", "disable"),
    ("claude-failing", "provider_error", "disable", "keep"),
    ("claude-patterns", "forbidden", "disable", "disable"),
    ("claude-off", "healthy", "enable", "enable"),
    ("claude-off-wrong-key", "invalid_key", "keep", "keep"),
    ("claude-nowhere", "no_base_url", "keep", "keep"),
    ("gemini-ok", "healthy", "keep", "keep"),
    ("gemini-native", "healthy", "keep", "keep"),
    ("gemini-wrong-key", "invalid_key", "disable", "disable"),
    ("codex-ok", "healthy", "keep", "keep"),
    ("codex-limited", "rate_limited", "disable", "keep"),
    ("vertex-ok", "healthy", "keep", "keep"),
]


@pytest.fixture
async def providers() -> AsyncIterator[Providers]:
    async with start_providers(slow_seconds=0.01) as started:
        yield started


@pytest.fixture
async def client() -> AsyncIterator[ClientSession]:
    async with ClientSession(timeout=ClientTimeout(total=5)) as session:
        yield session


def account_of(row: DemoRow, address: str) -> Account:
    return Account(
        ref=KeyRef(Section(row.section), row.name),
        fingerprint=row.name,
        auth_index=row.name,
        names=(row.name,),
        provider="",
        label=row.name,
        compat_name="",
        base_url=row.base_url(address) or None,
        enabled=row.enabled,
        runtime_only=True,
        listed=not row.disabled,
        probeable=not row.disabled,
        detached=row.disabled,
        switch=Switch.ENTRY,
        switch_reason="",
        revision=Revision(""),
    )


async def sent(client: ClientSession, request: ProbeRequest, key: str) -> Answer | NoAnswer:
    header = {name: value.replace("$TOKEN$", key) for name, value in request.header.items()}
    patience = ClientTimeout(total=0.3 if "-never-" in key else 5)
    try:
        async with client.request(
            request.method, request.url, headers=header, data=request.body or None, timeout=patience
        ) as answer:
            body = (await answer.read()).decode()
            headers = {name: (value,) for name, value in answer.headers.items()}
            cut = len(body) > BODY_LIMIT
            return Answer(answer.status, headers, body[:BODY_LIMIT].replace(key, "-"), cut, 0.1)
    except TimeoutError:
        return NoAnswer(NoAnswerKind.TIMEOUT, "", 0.3)
    except ClientError:
        return NoAnswer(NoAnswerKind.CONNECT, "", 0.1)


async def inspected(client: ClientSession, row: DemoRow, address: str) -> Judgement:
    plan = plan_probe(account_of(row, address), FIRST_PHASE, SystemRandom())
    attempts: list[Attempt] = []
    while not hasattr(plan, "verdict") and (request := next_request(plan, attempts)):
        attempts.append(Attempt(request, await sent(client, request, row.key)))
    return judge(plan, attempts, FIRST_PHASE)


def test_the_pool_expects_what_the_table_says() -> None:
    assert [(row.name, row.verdict, row.first_phase, row.configurable) for row in DEMO_ROWS] == TABLE


@pytest.mark.parametrize("row", DEMO_ROWS, ids=[row.name for row in DEMO_ROWS])
async def test_each_account_comes_out_as_the_table_says_under_both_policies(
    providers: Providers, client: ClientSession, row: DemoRow
) -> None:
    judgement = await inspected(client, row, providers.address)

    assert judgement.verdict == row.verdict
    assert recommend(judgement, row.enabled, FIRST_PHASE).action == row.first_phase
    assert recommend(judgement, row.enabled, CONFIGURABLE).action == row.configurable
    assert len(judgement.preview) <= FIRST_PHASE.preview_characters
    assert row.key not in repr(judgement)


async def test_what_is_not_probed_is_not_asked_for(providers: Providers, client: ClientSession) -> None:
    for row in DEMO_ROWS:
        if row.verdict in {"skipped", "no_base_url"}:
            await inspected(client, row, providers.address)

    assert not providers.requests
