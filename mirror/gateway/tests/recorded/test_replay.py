"""This gateway answers recorded requests as the recorded gateway did, but for what is named here."""

import re
from pathlib import Path

import pytest

from gateway.internal.configuration.model import Profile
from tests.management.serving import Served
from tests.recorded.replaying import POOL, SECRET, Replay, exchanges, recorded_gateway, replay

COUNTED = "tokens the stock gateway overlooks in streams are counted, and what is not asked for as a stream comes whole"
EXEMPT = {
    "gemini stream": "a dialect is passed through as it is; chunks are not rewritten",
    "usage-queue rest": COUNTED,
    "auth-files uploaded": "the stock gateway shows the moment of the upload as last_refresh until it reads the file",
    "plugins": "there is no plugin host here; the recorded one had found a library in its plugins folder",
}
"""Exchanges that differ in both profiles, each with the reason."""

LISTED = "API keys of config.yaml are not listed"
SWITCHED = "404 for a provider with keys"
UNKNOWN = "the literal `$TOKEN$` is sent"
PARTS = "one rate fits all tokens of a side"
WHY = "the same, with `kind`"
DEVIATIONS = {
    "auth-files": LISTED,
    "auth-files after traffic": LISTED,
    "status disable ok-solo-1": SWITCHED,
    "status enable ok-solo-1": SWITCHED,
    "status disable ok-duo-1": SWITCHED,
    "status enable ok-duo-1": SWITCHED,
    "status disable s401-duo-2": SWITCHED,
    "status enable s401-duo-2": SWITCHED,
    "status disable ok-dark-1": SWITCHED,
    "status enable ok-dark-1": SWITCHED,
    "api-call unknown index literal token": UNKNOWN,
    "api-call refused": WHY,
    "usage-queue default count": PARTS,
}
"""Exchanges that differ in the extended profile only, each with words of the row of the README's table on it."""

FORWARDED = "`X-Forwarded-For` or `X-Real-IP` claims"
DEVIATIONS_IN_LIFE = {"forwarded for a remote address": FORWARDED, "x-real-ip of a remote address": FORWARDED}
RENAMED = "here a file that was replaced by a rename is noticed, and so is every edit after it"
EXEMPT_IN_LIFE = {"replaced by rename": RENAMED, "edited in place after a rename": RENAMED}

README = Path(__file__).parent.parent.parent / "README.md"


def judge(
    outcome: Replay, exempt: dict[str, str], deviations: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Check that exactly the exchanges named differ; print how many there were and how many are exempt."""
    with capsys.disabled():
        print(f"\n{len(outcome.names)} recorded exchanges: {len(exempt)} exempt, {len(deviations)} deviations")  # noqa: T201 - the count is part of the result
    named = exempt | deviations
    assert {name: found for name, found in outcome.differing.items() if name not in named} == {}
    assert set(named) - set(outcome.differing) == set(), "named without need"
    assert [row for row in deviations.values() if row not in README.read_text()] == []


async def dark_again(served: Served, name: str) -> None:
    """Switch off again what the recorded gateway refused to switch on, before anything else is compared."""
    if name == "api-call models ok-claude-1":
        dark = next(each.id for each in served.runtime.snapshot.credentials if each.compat_name == "dark")
        body = {"name": dark, "disabled": True}
        assert (await served.request("PATCH", "/v0/management/auth-files/status", json=body)).status == 200


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_recorded_requests_get_the_recorded_answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with recorded_gateway(folder, Profile.STOCK) as served:
        outcome = await replay(served, exchanges("management.jsonl"))
        text = served.runtime.config_path.read_text()
    judge(outcome, EXEMPT, {}, capsys)
    assert set(re.findall("#.*", POOL)) <= set(re.findall("#.*", text))


async def test_the_extended_profile_differs_where_it_says_and_nowhere_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with recorded_gateway(folder, Profile.EXTENDED) as served:
        outcome = await replay(served, exchanges("management.jsonl"), dark_again)
    judge(outcome, EXEMPT, DEVIATIONS, capsys)


LIFE = {
    "secret added: known path": ('secret-key: ""', f'secret-key: "{SECRET}"'),
    "remote allowed": ("allow-remote: false", "allow-remote: true"),
    "edited in place is seen": ("request-retry: 0", "request-retry: 2"),
    "invalid file keeps the last good state": ("request-retry: 2", "request-retry: [2"),
    "repaired file is seen": ("request-retry: [2", "request-retry: 3"),
    "template key: models": ("client-key-2", "your-api-key-1"),
    "template key removed": ("your-api-key-1", "client-key-2"),
    "secret removed": (SECRET, ""),
    "old secret after change": ('secret-key: ""', 'secret-key: "second-secret"'),
    "replaced by rename": ("request-retry: 3", "request-retry: 4"),
    "edited in place after a rename": ("request-retry: 4", "request-retry: 5"),
}


async def edited(served: Served, name: str) -> None:
    """Edit config.yaml as it was edited before the recorded exchange."""
    if name not in LIFE:
        return
    path = served.runtime.config_path
    old, new = LIFE[name]
    text = re.sub(r"\$2[aby]\$[^\"\s]*", SECRET, path.read_text()) if old == SECRET else path.read_text()
    assert old in text, name
    path.write_text(text.replace(old, new))
    await served.runtime.reload()


@pytest.mark.parametrize("profile", list(Profile))
async def test_management_comes_and_goes_with_the_configuration_as_recorded(
    folder: Path, capsys: pytest.CaptureFixture[str], profile: Profile
) -> None:
    async with recorded_gateway(folder, profile, secret="") as served:
        outcome = await replay(served, exchanges("lifecycle.jsonl"), edited)
    judge(outcome, EXEMPT_IN_LIFE, {} if profile is Profile.STOCK else DEVIATIONS_IN_LIFE, capsys)
