import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from gateway.internal.configuration.applying import EntryChange
from gateway.internal.operations.listing import list_entries
from gateway.internal.operations.status import Outcome, StatusChange, StatusResult, set_disabled
from tests.operations.gateways import Bench, running


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    async with running(tmp_path) as bench:
        yield bench


async def switch(bench: Bench, name: str, disabled: bool) -> StatusResult:
    (result,) = await set_disabled(bench.runtime, [StatusChange(name, disabled)])
    return result


async def test_a_plain_key_is_disabled_by_a_star_and_enabled_by_taking_it_away(bench: Bench) -> None:
    before, name = bench.config.read_text(), bench.id_of("sk-claude-key-1")
    result = await switch(bench, name, True)
    assert (result.outcome, result.status, result.via, result.excluded_pattern) == (
        Outcome.APPLIED,
        200,
        "config:excluded-models",
        "*",
    )
    assert bench.config.read_text() == before.replace(
        "https://claude.example\n", 'https://claude.example\n    excluded-models:\n      - "*"\n'
    )
    assert bench.id_of("sk-claude-key-1") == name
    assert (await switch(bench, name, False)).before is not None
    assert bench.config.read_text() == before


async def test_patterns_of_the_operator_stay(bench: Bench) -> None:
    before, name = bench.config.read_text(), bench.id_of("sk-claude-key-2")
    result = await switch(bench, name, True)
    assert result.before is not None
    assert (result.before.disabled, result.before.excluded_models) == (False, ("opus-*",))
    assert '      - opus-* # dear\n      - "*"\n' in bench.config.read_text()
    await switch(bench, name, False)
    assert bench.config.read_text() == before


async def test_a_provider_with_one_key_is_switched_as_a_whole_hides_and_comes_back(bench: Bench) -> None:
    before, name = bench.config.read_text(), bench.id_of("sk-solo-key-1")
    result = await switch(bench, name, True)
    assert (result.outcome, result.via) == (Outcome.APPLIED, "config:disabled")
    assert "disabled: true\n  # pair" in bench.config.read_text()
    assert name not in {entry.name for entry in await list_entries(bench.runtime)}
    assert name in {each.id for each in bench.runtime.snapshot.dormant}
    assert (await switch(bench, name, False)).outcome is Outcome.APPLIED
    assert name in {entry.name for entry in await list_entries(bench.runtime)}
    assert bench.config.read_text() == before.replace(
        '      - api-key: " "\n', '      - api-key: " "\n    disabled: false\n'
    )


async def test_a_provider_that_was_off_from_the_start_is_found_and_enabled(bench: Bench) -> None:
    result = await switch(bench, bench.id_of("sk-dark-key-1"), False)
    assert result.outcome is Outcome.APPLIED
    assert "disabled: false # for now" in bench.config.read_text()


async def test_a_provider_with_two_keys_is_refused_by_name_and_nothing_is_written(bench: Bench) -> None:
    result = await switch(bench, bench.id_of("sk-duo-key-1"), True)
    assert (result.outcome, result.status, result.code) == (Outcome.REFUSED, 409, "multi_key_provider")
    assert "provider duo holds 2 API keys" in result.error
    assert "openai-compatibility" in result.error
    assert "sk-" not in result.error
    assert bench.files.writes == 0


async def test_a_batch_is_one_write_and_answers_in_the_order_of_the_input(bench: Bench) -> None:
    file = bench.add_file("claude-a.json", email="a@b.c")
    names = [
        bench.id_of("sk-claude-key-1"),
        "nobody",
        bench.id_of("sk-duo-key-2"),
        "claude-a.json",
        bench.id_of("sk-solo-key-1"),
        bench.id_of("sk-claude-key-2"),
    ]
    results = await set_disabled(bench.runtime, [StatusChange(name, True) for name in names])
    assert [each.outcome for each in results] == [
        Outcome.APPLIED,
        Outcome.MISSING,
        Outcome.REFUSED,
        Outcome.APPLIED,
        Outcome.APPLIED,
        Outcome.APPLIED,
    ]
    assert bench.files.writes == 1
    assert json.loads(file.read_text())["disabled"] is True
    assert all(
        comment in bench.config.read_text() for comment in ("# my pool", "# one", "# dear", "# off", "# the end")
    )


async def test_of_several_changes_to_one_credential_the_last_wins(bench: Bench) -> None:
    name = bench.id_of("sk-claude-key-1")
    index = next(each.auth_index for each in bench.runtime.snapshot.credentials if each.id == name)
    results = await set_disabled(bench.runtime, [StatusChange(name, True), StatusChange(index, False)])
    assert [(each.outcome, each.disabled) for each in results] == [(Outcome.UNCHANGED, False)] * 2
    assert bench.files.writes == 0


async def test_a_name_that_means_two_credentials_is_refused(tmp_path: Path) -> None:
    text = "auth-dir: {auths}\nclaude-api-key: [{api-key: sk-twin, prefix: a}, {api-key: sk-twin, prefix: b}]\n"
    async with running(tmp_path, text) as bench:
        index = bench.runtime.snapshot.credentials[0].auth_index
        result = await switch(bench, index, True)
        assert (result.outcome, result.status, result.code) == (Outcome.REFUSED, 409, "ambiguous")
        assert bench.files.writes == 0
        assert (await switch(bench, bench.runtime.snapshot.credentials[1].id, True)).outcome is Outcome.APPLIED
        assert [each.disabled for each in bench.runtime.snapshot.credentials] == [False, True]


async def test_a_file_keeps_its_unknown_fields_and_its_mode(bench: Bench) -> None:
    file = bench.add_file("claude-a.json", zeta={"deep": [1, "é"]}, access_token="t")
    file.chmod(0o640)
    assert (await switch(bench, "claude-a.json", True)).outcome is Outcome.APPLIED
    assert file.read_text() == (
        '{"type": "claude", "zeta": {"deep": [1, "\\u00e9"]}, "access_token": "t", "disabled": true}'
    )
    assert file.stat().st_mode & 0o777 == 0o640


async def test_an_edit_nobody_announced_is_seen_before_deciding(bench: Bench) -> None:
    bench.config.write_text(bench.config.read_text().replace("sk-claude-key-1", "sk-claude-key-9"))
    assert (await switch(bench, "absent", True)).status == 404
    assert (await switch(bench, bench.id_of("sk-claude-key-9"), True)).outcome is Outcome.APPLIED


async def test_a_stale_expectation_is_a_conflict(bench: Bench) -> None:
    name = bench.id_of("sk-claude-key-1")
    revision = next(each.revision for each in bench.runtime.snapshot.credentials if each.id == name)
    await switch(bench, name, True)
    (result,) = await set_disabled(bench.runtime, [StatusChange(name, False, expect=revision)])
    assert (result.outcome, result.status) == (Outcome.CONFLICT, 409)
    (result,) = await set_disabled(bench.runtime, [StatusChange(name, False, expect=result.revision)])
    assert (result.outcome, result.revision) == (Outcome.APPLIED, revision)


async def test_an_invalid_file_on_disk_fails_the_change_and_stays_untouched(bench: Bench) -> None:
    name = bench.id_of("sk-claude-key-1")
    bench.config.write_text("port: [")
    result = await switch(bench, name, True)
    assert (result.outcome, result.status) == (Outcome.FAILED, 500)
    assert result.error.startswith("failed to save config: ")
    assert bench.config.read_text() == "port: ["


async def test_an_entry_that_cannot_be_edited_does_not_stop_the_others(tmp_path: Path) -> None:
    text = (
        "auth-dir: {auths}\nshared: &a [gpt-*]\n"
        "claude-api-key:\n- {api-key: sk-1, excluded-models: *a}\n- {api-key: sk-2}\n"
    )
    async with running(tmp_path, text) as bench:
        results = await set_disabled(
            bench.runtime, [StatusChange(bench.id_of("sk-1"), True), StatusChange(bench.id_of("sk-2"), True)]
        )
        assert [each.outcome for each in results] == [Outcome.FAILED, Outcome.APPLIED]
        assert "claude-api-key[0].excluded-models is shared" in results[0].error
        assert bench.runtime.configuration.document["shared"] == ["gpt-*"]


async def test_a_change_somebody_undoes_at_once_is_reported_as_failed(bench: Bench) -> None:
    original = bench.config.read_text()
    name = bench.id_of("sk-claude-key-1")
    refresh = bench.runtime.refresh

    async def meddling() -> object:
        if bench.files.writes:
            bench.config.write_text(original)
        return await refresh()

    bench.runtime.refresh = meddling  # type: ignore[assignment,method-assign] # an editor that saves in between
    result = await switch(bench, name, True)
    assert (result.outcome, result.status) == (Outcome.FAILED, 500)


@pytest.mark.parametrize(("times", "outcome"), [(1, Outcome.APPLIED), (2, Outcome.APPLIED), (9, Outcome.FAILED)])
async def test_a_batch_is_decided_again_while_somebody_else_writes_the_file(
    bench: Bench, times: int, outcome: Outcome
) -> None:
    name, other = bench.id_of("sk-claude-key-1"), "# somebody else's line\n"
    write, left = bench.runtime.change_entries, times

    async def late(changes: Sequence[EntryChange]) -> object:
        nonlocal left
        left -= 1
        if left >= 0:
            bench.config.write_text(bench.config.read_text() + other)
        return await write(changes)

    bench.runtime.change_entries = late  # type: ignore[assignment,method-assign] # an editor that saves in between
    result = await switch(bench, name, True)
    assert result.outcome is outcome
    assert bench.config.read_text().count(other) == min(times, 3)
    assert ('- "*"' in bench.config.read_text()) is (outcome is Outcome.APPLIED)
    assert (outcome is Outcome.APPLIED) is (not result.error)


async def test_cancelling_waits_for_the_write_in_progress(bench: Bench) -> None:
    name = bench.id_of("sk-claude-key-1")
    task = asyncio.create_task(set_disabled(bench.runtime, [StatusChange(name, True)]))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert '- "*"' in bench.config.read_text()


async def test_the_stock_profile_does_not_know_compat_keys(tmp_path: Path) -> None:
    async with running(tmp_path, extra="management-profile: stock\n") as bench:
        before = bench.config.read_text()
        solo = await switch(bench, bench.id_of("sk-solo-key-1"), True)
        dark = await switch(bench, bench.id_of("sk-dark-key-1"), True)
        assert (solo.status, solo.error) == (404, "config api key entry not found")
        assert (dark.status, dark.error) == (404, "auth file not found")
        bare = next(each for each in bench.runtime.snapshot.credentials if each.compat_name == "bare")
        assert (await switch(bench, bare.id, True)).status == 200
        assert bench.config.read_text() == before
        claude = await switch(bench, bench.id_of("sk-claude-key-1"), True)
        assert (claude.status, claude.via) == (200, "config:excluded-models")
