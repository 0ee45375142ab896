"""Bytes after an undo or the opposite switch: as before, in any pool and layout, by a run or by hand.

A foreign edit in between stays.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from gateway.internal.operations.configuration import write_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extension.engine.actions.ownership import ENABLE
from extension.inspection.accounts.account import Selection, Source
from extension.inspection.settings import parse_settings
from extension.store.records import ActionOutcome, ActionRecord
from tests.extension.engine.embedded import Bench, embedded
from tests.extension.engine.scenario import inspected, newest_actions, numbers, set_disabled

pytestmark = pytest.mark.slow

KEYS = (
    "- api-key: sk-KEY\n  base-url: http://HOST\n",
    "# above\n- api-key: sk-KEY # the key\n  base-url: http://HOST\n  # at the end\n",
    "- {api-key: sk-KEY, base-url: 'http://HOST' } # in one line\n",
    "- base-url: http://HOST\n  excluded-models:\n  - old-* # dear\n  api-key: sk-KEY\n",
    "- base-url: http://HOST\n  excluded-models: [ ] # none\n  api-key: sk-KEY\n\n",
    "-\n   api-key: sk-KEY\n   base-url: http://HOST\n   excluded-models:\n   priority: 0x1\n",
    "- api-key: sk-KEY\n  base-url: http://HOST\n  excluded-models: [old-*, ]\n",
)
OFF = (
    '- excluded-models: ["*", old-*]\n  api-key: sk-KEY\n  base-url: http://HOST\n',
    '- api-key: sk-KEY\n  base-url: http://HOST\n  excluded-models:\n    - "*" # since May\n    # and more\n',
)
PROVIDERS = (
    "- name: pKEY\n  base-url: http://HOST/v1\n  api-key-entries:\n    - api-key: sk-KEY\n",
    "- name: pKEY # one\n  disabled: no # yet\n  base-url: http://HOST/v1\n  api-key-entries: [{api-key: sk-KEY}]\n",
    "- disabled: False\n  name: pKEY\n  base-url: http://HOST/v1\n  note: |\n    of two\n    lines\n",
    "- {name: pKEY, base-url: http://HOST/v1, api-key-entries: [{api-key: sk-KEY}]}\n",
    "- name: pKEY\n  base-url: http://HOST/v1\n  disabled:\n  api-key-entries:\n  - api-key: sk-KEY # its key\n",
)
DARK = (
    "- name: pKEY\n  disabled: on # off\n  base-url: http://HOST/v1\n  api-key-entries:\n    - api-key: sk-KEY\n",
    "- {name: pKEY, disabled: true, base-url: http://HOST/v1, api-key-entries: [{api-key: sk-KEY}]}\n",
)
HOSTS = st.sampled_from(["fine.example", "refusing.example"])


@st.composite
def lists(draw: st.DrawFn, name: str, entries: tuple[str, ...]) -> str:
    indent = " " * draw(st.integers(0, 3))
    chosen = draw(st.lists(st.tuples(st.sampled_from(entries), HOSTS), min_size=1, max_size=5))
    lines = "".join(
        entry.replace("KEY", f"{name[:4]}-{number:02}-abcdef").replace("HOST", f"{number}.{host}")
        for number, (entry, host) in enumerate(chosen)
    )
    return f"{name}: # a list\n" + "".join(f"{indent}{line}".rstrip(" ") for line in lines.splitlines(keepends=True))


@st.composite
def pools(draw: st.DrawFn) -> tuple[str, Mapping[str, str]]:
    parts = [
        "auth-dir: {auths} # the files\n",
        draw(lists("claude-api-key", KEYS + OFF)),
        draw(lists("openai-compatibility", PROVIDERS + DARK)),
        "# between\nunknown: {a: [1, 2]}\n",
    ]
    text = "".join(draw(st.permutations(parts)))
    text = text if draw(st.booleans()) else text.rstrip("\n")
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    fields: list[dict[str, Any]] = [{}, {"disabled": False}, {"disabled": True}]
    files = {
        f"codex-{number}.json": json.dumps(
            {"type": "codex", "access_token": "a-token", "zeta": [1, 2.50], **draw(st.sampled_from(fields))},
            indent=draw(st.sampled_from([None, 2])),
        )
        + draw(st.sampled_from(["", "\n"]))
        for number in range(draw(st.integers(0, 2)))
    }
    return text.replace("\n", newline), files


SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@settings(SLOW, max_examples=5)
@given(pools(), st.data())
async def test_undo_of_a_run_and_of_what_was_done_by_hand_restores_every_byte(
    pool: tuple[str, Mapping[str, str]], data: st.DataObject
) -> None:
    await undone_without_a_trace(pool, data)


@pytest.mark.soak
@settings(SLOW, max_examples=100)
@given(pools(), st.data())
async def test_undo_restores_every_byte_of_many_pools(pool: tuple[str, Mapping[str, str]], data: st.DataObject) -> None:
    await undone_without_a_trace(pool, data)


async def undone_without_a_trace(pool: tuple[str, Mapping[str, str]], data: st.DataObject) -> None:
    """Switch accounts by hand and by runs, undo it, and compare all that is stored."""
    with TemporaryDirectory() as folder:
        async with embedded(Path(folder), *pool) as bench:
            before = bench.stored()
            await by_hand_and_back(bench, data)
            assert bench.stored() == before
            await by_hand_and_the_opposite(bench, data)
            assert bench.stored() == before
            for source in (Source.API_KEY, Source.OAUTH):
                await by_a_run_and_back(bench, source)
                assert bench.stored() == before


async def by_hand_and_back(bench: Bench, data: st.DataObject) -> None:
    """Switch some accounts on and some off, and undo it."""
    applied = [action.id for action in await switched_by_hand(bench, data)]
    undone = (await bench.inspector.undo.of_actions(applied, "anna")).actions
    assert {action.outcome for action in undone} <= {ActionOutcome.APPLIED}


async def by_hand_and_the_opposite(bench: Bench, data: st.DataObject) -> None:
    """Switch some accounts on and some off, and each of them the other way by hand."""
    for action in await switched_by_hand(bench, data):
        (back,) = await set_disabled(bench.inspector, [action.account_id], action.action == ENABLE, "ben")
        assert back.outcome is ActionOutcome.APPLIED


async def switched_by_hand(bench: Bench, data: st.DataObject) -> list[ActionRecord]:
    """Switch some accounts on and some off, and return what took effect."""
    known = {**await numbers(bench.inspector), **await numbers(bench.inspector, Source.OAUTH)}
    account_ids = data.draw(st.lists(st.sampled_from(sorted(known.values())), unique=True))
    off = data.draw(st.sets(st.sampled_from(account_ids))) if account_ids else set()
    done: list[ActionRecord] = []
    for disabled, chosen in (
        (True, [number for number in account_ids if number in off]),
        (False, [o for o in account_ids if o not in off]),
    ):
        done += await set_disabled(bench.inspector, chosen, disabled, "anna", "a try")
    assert {action.outcome for action in done} <= {ActionOutcome.APPLIED, ActionOutcome.UNCHANGED}
    return [action for action in done if action.outcome is ActionOutcome.APPLIED]


async def test_what_somebody_else_wrote_since_a_switch_stays_when_it_is_switched_back(tmp_path: Path) -> None:
    text = "auth-dir: {auths}\nopenai-compatibility:\n" + PROVIDERS[0].replace("KEY", "one").replace(
        "HOST", "a.example"
    )
    async with embedded(tmp_path, text) as bench:
        (number,) = (await numbers(bench.inspector)).values()
        await set_disabled(bench.inspector, [number], True, "anna")
        theirs = bench.config.read_text().replace("disabled: true", "disabled: true\n  priority: 7 # mine")
        await write_text(bench.runtime, theirs)
        (back,) = await set_disabled(bench.inspector, [number], False, "anna")
        assert back.outcome is ActionOutcome.APPLIED
        assert bench.config.read_text() == theirs.replace("disabled: true", "disabled: false")


async def by_a_run_and_back(bench: Bench, source: Source) -> None:
    """Let a run switch off what is refused, and undo it."""
    chosen = parse_settings({"accountSource": source.value, "autoActionMode": "disable"})
    if not (await bench.inspector.listing.view(Selection(source))).accounts:
        return
    run = await inspected(bench.inspector, chosen)
    made = [action for action in await newest_actions(bench.inspector, 1000) if action.run_id == run.id]
    assert {action.outcome for action in made} <= {ActionOutcome.APPLIED}
    undone = (await bench.inspector.undo.of_run(run.id, "ben")).actions
    assert len(undone) == len(made)
    assert {action.outcome for action in undone} <= {ActionOutcome.APPLIED}
