"""The OAuth files of the demo against the decisions of the inspection, over real HTTP but without a gateway."""

from collections.abc import AsyncIterator
from random import SystemRandom

import pytest
from aiohttp import ClientSession, ClientTimeout

from adapter.port import Account, Answer, FileRef, Revision, Switch
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.judgement import Judgement, judge
from extension.inspection.probes.plan import NoProbe, next_request, plan_probe
from extension.inspection.requests.outcome import Attempt
from extension.inspection.requests.vendors import Vendors
from extension.inspection.settings import parse_settings
from tools.project.demo.behavior import Behavior, demo_key
from tools.project.demo.files import DEMO_FILES, DemoFile
from tools.project.demo.providers import Providers, start_providers
from tools.project.demo.vendors import PREFIX

FIRST_PHASE = parse_settings({"accountSource": "oauth"})
CONFIGURABLE = parse_settings({"accountSource": "oauth", "decisionPolicy": "configurable"})

# owner, verdict, first_phase, configurable
TABLE = [
    ("claude-ada", "healthy", "keep", "keep"),
    ("claude-bob", "healthy", "enable", "enable"),
    ("claude-eve", "relogin_needed", "disable", "disable"),
    ("claude-gus", "out_of_quota", "disable", "keep"),
    ("claude-ida", "revoked", "disable", "disable"),
    ("claude-jo", "out_of_quota", "keep", "keep"),
    ("codex-cy", "healthy", "keep", "keep"),
    ("codex-fay", "revoked", "disable", "disable"),
    ("codex-hal", "out_of_quota", "disable", "keep"),
    ("codex-kim", "out_of_quota", "disable", "keep"),
    ("codex-lee", "inconclusive", "keep", "keep"),
    ("codex-max", "provider_error", "disable", "keep"),
    ("codex-ned", "relogin_needed", "keep", "keep"),
    ("kimi-1700000000000", "healthy", "keep", "keep"),
    ("kimi-1700000000001", "out_of_quota", "disable", "keep"),
    ("kimi-1700000000002", "relogin_needed", "disable", "disable"),
    ("xai-ora", "healthy", "keep", "keep"),
    ("xai-pat", "out_of_quota", "disable", "keep"),
    ("xai-quinn", "healthy", "keep", "keep"),
    ("xai-ray", "revoked", "disable", "disable"),
    ("antigravity-sue", "healthy", "keep", "keep"),
    ("antigravity-tom", "out_of_quota", "disable", "keep"),
    ("antigravity-uma", "relogin_needed", "disable", "disable"),
    ("qwen-val", "healthy", "keep", "keep"),
    ("qwen-wes", "no_base_url", "keep", "keep"),
]


@pytest.fixture
async def providers() -> AsyncIterator[Providers]:
    async with start_providers() as started:
        yield started


@pytest.fixture
async def client() -> AsyncIterator[ClientSession]:
    async with ClientSession(timeout=ClientTimeout(total=5)) as session:
        yield session


def account_of(name: str, kind: str, base_url: str | None = None) -> Account:
    return Account(
        ref=FileRef(name),
        fingerprint=name,
        auth_index=name,
        names=(name,),
        provider=kind,
        label=name,
        compat_name="",
        base_url=base_url,
        enabled=True,
        runtime_only=False,
        listed=True,
        probeable=True,
        switch=Switch.FILE,
        switch_reason="",
        revision=Revision(""),
        source_kind="file",
        vendor_project="demo-project",
    )


async def inspected(client: ClientSession, account: Account, token: str, address: str) -> Judgement:
    plan = plan_probe(account, FIRST_PHASE, SystemRandom(), Vendors(address + PREFIX))
    attempts: list[Attempt] = []
    while not isinstance(plan, NoProbe) and (request := next_request(plan, attempts)):
        header = {name: value.replace("$TOKEN$", token) for name, value in request.header.items()}
        assert request.url.startswith(address)
        async with client.request(request.method, request.url, headers=header, data=request.body or None) as answer:
            attempts.append(Attempt(request, Answer(answer.status, {}, await answer.text(), False, 0.1)))
    return judge(plan, attempts, FIRST_PHASE)


def test_the_files_expect_what_the_table_says() -> None:
    expected = [
        (file.name.partition("@")[0].removesuffix(".json"), file.verdict, file.first_phase, file.configurable)
        for file in DEMO_FILES
    ]

    assert expected == TABLE


@pytest.mark.parametrize("file", DEMO_FILES, ids=[file.name for file in DEMO_FILES])
async def test_each_file_comes_out_as_the_table_says_under_both_policies(
    providers: Providers, client: ClientSession, file: DemoFile
) -> None:
    account = account_of(file.name, file.type, file.content(providers.address).get("base_url"))
    judgement = await inspected(client, account, file.access_token, providers.address)

    assert judgement.verdict == file.verdict
    assert recommend(judgement, not file.disabled, FIRST_PHASE).action == file.first_phase
    assert recommend(judgement, not file.disabled, CONFIGURABLE).action == file.configurable


@pytest.mark.parametrize(
    ("behavior", "verdict"),
    [
        (Behavior.OK, "healthy"),
        (Behavior.LONG_FULL, "out_of_quota"),
        (Behavior.UNTOLD, "inconclusive"),
        (Behavior.EXPIRED, "relogin_needed"),
        (Behavior.REVOKED, "revoked"),
    ],
)
async def test_gemini_cli_is_spoken_too_though_the_gateway_loads_no_such_file(
    providers: Providers, client: ClientSession, behavior: Behavior, verdict: str
) -> None:
    account = account_of("gemini-cli.json", "gemini-cli")

    assert (await inspected(client, account, demo_key(behavior, "gemini"), providers.address)).verdict == verdict
