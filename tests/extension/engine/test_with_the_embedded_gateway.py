"""Actions of a run through the real gateway, on the bytes of its configuration."""

from pathlib import Path

from extension.store.records import ActionOutcome
from tests.extension.engine.embedded import embedded
from tests.extension.engine.scenario import apply, compat_config, fleet, inspected, newest_actions, settings

HEAD = "auth-dir: {auths}\n# the fleet\n"
AT_THE_END = settings(autoActionMode="disable", brake=False, realtimeAutoActions={"disable": False})


async def test_500_disables_that_wait_are_one_write_and_one_reload_and_their_undo_restores_every_byte(
    tmp_path: Path,
) -> None:
    text = HEAD + fleet({"refusing": 300}) + compat_config([f"p{number}" for number in range(200)]) + "# its end\n"
    async with embedded(tmp_path, text) as bench:
        before = bench.stored()
        run = await inspected(bench.inspector, AT_THE_END)
        made = await newest_actions(bench.inspector, 1000)
        assert [action.outcome for action in made] == [ActionOutcome.APPLIED] * 500
        assert len({action.account_id for action in made}) == 500
        assert (bench.files.written, bench.runtime.reloads) == (1, 1)
        undone = (await bench.inspector.undo.of_run(run.id, "ben")).actions
        assert [action.outcome for action in undone] == [ActionOutcome.APPLIED] * 500
        assert (bench.files.written, bench.runtime.reloads) == (2, 2)
        assert bench.stored() == before


async def test_a_conflict_in_one_of_many_fails_that_one_only(tmp_path: Path) -> None:
    async with embedded(tmp_path, HEAD + fleet({"refusing": 50})) as bench:
        keep = settings(autoActionMode="none", brake=False)
        run = await inspected(bench.inspector, keep)
        foreign = "sk-ant-refusing-0007-0123456789\n    priority: 3"
        bench.config.write_text(bench.config.read_text().replace(foreign.partition("\n")[0], foreign))
        await bench.runtime.reload()
        bench.runtime.reloads = 0
        made = await apply(bench.inspector, run.id, AT_THE_END.auto_action_mode, "anna")
        assert sorted(action.outcome for action in made) == [ActionOutcome.APPLIED] * 49 + [ActionOutcome.CONFLICT]
        assert (bench.files.written, bench.runtime.reloads) == (1, 1)
        assert bench.config.read_text().count('- "*"') == 49
