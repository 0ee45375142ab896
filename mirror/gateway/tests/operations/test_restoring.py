"""A status change is taken back to the byte where nobody else has written, whatever the files look like."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.internal.configuration.sections import Section
from gateway.internal.operations.status import Outcome, StatusChange, StatusResult, set_disabled
from tests.configuration.documents import STYLES, Style, write
from tests.operations.gateways import Bench, running

KEYS = [section.value for section in Section if section is not Section.COMPAT]
PATTERNS = st.one_of(st.none(), st.just("~"), st.lists(st.sampled_from(["*", "old-*", "opus", " * "]), max_size=3))
SWITCHES = st.one_of(st.just("~"), st.none(), st.booleans())


def filled(**fields: Any) -> dict[str, Any]:
    """Return an entry without the fields that are "~", which stands for a field that is not written."""
    return {name: value for name, value in fields.items() if value != "~"}


@st.composite
def pools(draw: st.DrawFn) -> tuple[str, Mapping[str, str]]:
    """A configuration with every kind of entry, in any layout with comments, and credential files in any layout."""
    document: dict[str, Any] = {"debug": False}
    for section in draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3)):
        document[section] = [
            filled(**{"api-key": f"sk-{section}-{at}", "base-url": "http://one", "excluded-models": draw(PATTERNS)})
            for at in range(draw(st.integers(1, 3)))
        ]
    document[Section.COMPAT.value] = [
        filled(disabled=draw(SWITCHES), name=f"p{at}", **{"base-url": "http://two", "note": draw(st.integers(0, 9))})
        for at in range(draw(st.integers(1, 4)))
    ]
    files = {
        f"f{at}.json": json.dumps(filled(type="claude", disabled=draw(SWITCHES), token="t"), indent=draw(INDENTS))
        for at in range(draw(st.integers(0, 2)))
    }
    style: Style = draw(STYLES)
    return write(document, style), files


INDENTS = st.sampled_from([None, 1, 2, 4])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pools(), st.data())
async def test_changes_of_any_pool_are_taken_back_to_the_byte(
    pool: tuple[str, Mapping[str, str]], data: st.DataObject
) -> None:
    text, files = pool
    with TemporaryDirectory() as folder:
        async with running(Path(folder), "auth-dir: {auths}\n" + text.removeprefix("\ufeff")) as bench:
            for name, content in files.items():
                (bench.auths / name).write_text(content)
            await bench.runtime.reload()
            before = stored(bench)
            made: list[StatusResult] = []
            for _ in range(2):  # in two batches, as a run's queue does
                ids = [each.id for each in (*bench.runtime.snapshot.credentials, *bench.runtime.snapshot.dormant)]
                chosen = data.draw(st.lists(st.sampled_from(sorted(ids)), unique=True))
                made += await set_disabled(
                    bench.runtime, [StatusChange(name, data.draw(st.booleans())) for name in chosen]
                )
            done = [each for each in made if each.outcome is Outcome.APPLIED]
            while done:  # the last change of each credential first, in batches
                last = {each.credential_id: each for each in done}
                back = await restored(bench, list(last.values()))
                assert {each.outcome for each in back} == {Outcome.APPLIED}
                done = [each for each in done if each is not last[each.credential_id]]
            assert stored(bench) == before


def stored(bench: Bench) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (bench.config, *sorted(bench.auths.iterdir()))}


async def restored(bench: Bench, results: Sequence[StatusResult]) -> tuple[StatusResult, ...]:
    """Take changes back."""
    changes = [
        StatusChange(each.credential_id, each.before.disabled, restore=each.before) for each in results if each.before
    ]
    assert len(changes) == len(results)
    return await set_disabled(bench.runtime, changes)


@pytest.mark.parametrize("key", ["sk-claude-key-1", "sk-claude-key-2", "sk-claude-key-3", "sk-solo-key-1"])
async def test_where_somebody_has_written_in_the_entry_since_its_switch_is_as_before_and_theirs_stays(
    tmp_path: Path, key: str
) -> None:
    async with running(tmp_path) as bench:
        name = bench.id_of(key)
        (off,) = await set_disabled(bench.runtime, [StatusChange(name, disabled=True)])
        foreign = f"api-key: {key} # a note"
        bench.config.write_text(bench.config.read_text().replace(f"api-key: {key}", foreign, 1))
        (on,) = await restored(bench, [off])
        assert on.outcome is Outcome.APPLIED
        assert not next(each for each in bench.runtime.snapshot.credentials if each.api_key == key).disabled
        assert foreign in bench.config.read_text()
        assert "disabled: false" not in bench.config.read_text()


async def test_a_state_to_come_back_to_that_is_there_already_is_not_written(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        (off,) = await set_disabled(bench.runtime, [StatusChange(bench.id_of("sk-solo-key-1"), disabled=True)])
        await restored(bench, [off])
        writes = bench.files.writes
        assert [each.outcome for each in await restored(bench, [off])] == [Outcome.UNCHANGED]
        assert bench.files.writes == writes


async def test_500_changes_are_one_write_and_their_taking_back_is_one(tmp_path: Path) -> None:
    lines = [f"  - name: p{at} # {at}\n    base-url: http://two\n" for at in range(500)]
    text = "auth-dir: {auths}\nopenai-compatibility:\n" + "".join(lines)
    async with running(tmp_path, text) as bench:
        before = bench.config.read_bytes()
        made = await set_disabled(
            bench.runtime, [StatusChange(each.id, disabled=True) for each in bench.runtime.snapshot.credentials]
        )
        assert bench.files.writes == 1
        await restored(bench, made)
        assert bench.files.writes == 2
        assert bench.config.read_bytes() == before


async def test_what_takes_a_change_back_holds_no_key_and_is_not_shown(tmp_path: Path) -> None:
    async with running(tmp_path) as bench:
        for key in ("sk-claude-key-2", "sk-solo-key-1"):
            (off,) = await set_disabled(bench.runtime, [StatusChange(bench.id_of(key), disabled=True)])
            (on,) = await restored(bench, [off])
            for result in (off, on):
                assert result.before is not None
                assert result.before.back
                assert "sk-" not in result.before.back
                assert result.before.back not in repr(result)


async def test_a_switch_in_unusual_words_is_taken_back_in_meaning_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    text = """auth-dir: {auths}
claude-api-key:
  - api-key: k # sk-put-aside
    excluded-models: &sk-anchor # sk-put-aside
      - "*" # sk-put-aside
"""
    async with running(tmp_path, text) as bench:
        (on,) = await set_disabled(bench.runtime, [StatusChange(bench.id_of("k"), disabled=False)])
        assert on.before is not None
        assert (on.outcome, on.before.back) == (Outcome.APPLIED, "")
        (off,) = await restored(bench, [on])
        assert off.outcome is Outcome.APPLIED
        assert next(each for each in bench.runtime.snapshot.credentials if each.api_key == "k").disabled
        assert bench.config.read_text().count("# sk-put-aside") == 3
