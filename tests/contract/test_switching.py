import pytest
import yaml

from adapter.port import Applied, Change, Conflict, FileRef, KeyRef, Missing, Refused, Revision, Section, Unchanged
from tests.contract.pool import compat, file_of, key_of
from tests.contract.stage import Stage


def _providers(stage: Stage) -> dict[str, dict[str, object]]:
    return {entry["name"]: entry for entry in yaml.safe_load(stage.text())["openai-compatibility"]}


def _claude(stage: Stage, number: int) -> dict[str, object]:
    entry: dict[str, object] = yaml.safe_load(stage.text())["claude-api-key"][number]
    return entry


async def _applied(stage: Stage, change: Change) -> Applied:
    (outcome,) = await stage.gateway.set_disabled([change])
    assert isinstance(outcome, Applied)
    return outcome


async def test_disabling_a_key_adds_the_pattern_that_excludes_every_model(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    outcome = await _applied(stage, Change(account.ref, disabled=True, expect=account.revision))
    assert (outcome.before.disabled, outcome.before.excluded_models) == (False, ())
    assert _claude(stage, 0)["excluded-models"] == ["*"]
    after = key_of(await stage.gateway.accounts(), Section.CLAUDE)
    assert (after.enabled, after.listed, after.revision) == (False, True, outcome.revision)


async def test_a_key_with_patterns_keeps_them_both_ways(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE, 1)
    off = await _applied(stage, Change(account.ref, disabled=True))
    assert (off.before.disabled, off.before.excluded_models) == (False, ("claude-3-*",))
    assert _claude(stage, 1)["excluded-models"] == ["claude-3-*", "*"]
    on = await _applied(stage, Change(account.ref, disabled=False, expect=off.revision))
    assert (on.before.disabled, on.before.excluded_models) == (True, ("claude-3-*", "*"))
    assert _claude(stage, 1)["excluded-models"] == ["claude-3-*"]


async def test_enabling_a_key_without_other_patterns_leaves_none(stage: Stage) -> None:
    account = key_of(await stage.gateway.accounts(), Section.CLAUDE, 2)
    await _applied(stage, Change(account.ref, disabled=False))
    assert not _claude(stage, 2).get("excluded-models")
    assert key_of(await stage.gateway.accounts(), Section.CLAUDE, 2).enabled is True


@pytest.mark.parametrize("name", ["solo", "local", "spare"])
async def test_disabling_a_provider_with_fewer_than_two_keys_hides_its_account(stage: Stage, name: str) -> None:
    account = compat(await stage.gateway.accounts(), name)
    outcome = await _applied(stage, Change(account.ref, disabled=True, expect=account.revision))
    assert _providers(stage)[name]["disabled"] is True
    after = compat(await stage.gateway.accounts(), name)
    assert (after.enabled, after.listed, after.probeable) == (False, False, False)
    assert after.fingerprint == account.fingerprint
    assert after.revision == outcome.revision


async def test_a_hidden_account_can_be_enabled(stage: Stage) -> None:
    account = compat(await stage.gateway.accounts(), "dark")
    outcome = await _applied(stage, Change(account.ref, disabled=False, expect=account.revision))
    assert (outcome.before.disabled, outcome.before.excluded_models) == (True, ())
    after = compat(await stage.gateway.accounts(), "dark")
    assert (after.enabled, after.listed, after.probeable) == (True, True, True)
    assert after.revision == outcome.revision


@pytest.mark.parametrize("name", ["duo", "twilight"])
@pytest.mark.parametrize("disabled", [True, False])
async def test_a_provider_with_two_keys_is_refused_and_nothing_is_written(
    stage: Stage, name: str, disabled: bool
) -> None:
    text = stage.text()
    account = compat(await stage.gateway.accounts(), name)
    (outcome,) = await stage.gateway.set_disabled([Change(account.ref, disabled=disabled)])
    assert isinstance(outcome, Refused)
    assert outcome.code == "several_keys"
    assert outcome.text
    assert stage.text() == text


async def test_a_file_is_switched_in_the_file(stage: Stage) -> None:
    text = stage.text()
    account = file_of(await stage.gateway.accounts(), "claude-a@b.c.json")
    outcome = await _applied(stage, Change(account.ref, disabled=True, expect=account.revision))
    stored = stage.file("claude-a@b.c.json")
    assert stored is not None
    assert stored["disabled"] is True
    assert stored["access_token"] == "token-of-a-1111"
    assert stage.text() == text
    after = file_of(await stage.gateway.accounts(), "claude-a@b.c.json")
    assert (after.enabled, after.listed, after.revision) == (False, True, outcome.revision)


async def test_an_account_that_is_already_so_is_unchanged_and_nothing_is_written(stage: Stage) -> None:
    text = stage.text()
    pool = await stage.gateway.accounts()
    outcomes = await stage.gateway.set_disabled(
        [
            Change(key_of(pool, Section.CLAUDE).ref, disabled=False),
            Change(key_of(pool, Section.CLAUDE, 2).ref, disabled=True),
            Change(compat(pool, "dark").ref, disabled=True),
            Change(file_of(pool, "codex-d@e.f.json").ref, disabled=True),
        ]
    )
    assert outcomes == (Unchanged(), Unchanged(), Unchanged(), Unchanged())
    assert stage.text() == text
    assert stage.writes() == 0


async def test_another_revision_than_expected_is_a_conflict_and_nothing_is_written(stage: Stage) -> None:
    pool = await stage.gateway.accounts()
    await stage.edit(lambda text: text.replace("claude-3-*", "claude-4-*"))
    text = stage.text()
    stale = key_of(pool, Section.CLAUDE, 1)
    file = file_of(pool, "claude-a@b.c.json")
    outcomes = await stage.gateway.set_disabled(
        [
            Change(stale.ref, disabled=True, expect=stale.revision),
            Change(file.ref, disabled=True, expect=Revision("another")),
        ]
    )
    now = await stage.gateway.accounts()
    assert outcomes == (Conflict(key_of(now, Section.CLAUDE, 1).revision), Conflict(file.revision))
    assert stage.text() == text
    assert file_of(now, "claude-a@b.c.json").enabled is True


async def test_what_is_gone_is_missing(stage: Stage) -> None:
    outcomes = await stage.gateway.set_disabled(
        [
            Change(KeyRef(Section.CLAUDE, "claude:apikey:000000000000"), disabled=True),
            Change(FileRef("nobody.json"), disabled=True),
        ]
    )
    assert outcomes == (Missing(), Missing())
    assert stage.writes() == 0
