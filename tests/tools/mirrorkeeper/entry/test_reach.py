"""Functions of an entry point that are not called any more, or that a call alone does not run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.entry.sources import ENTRY, SOURCE, entry_fork
from tools.mirrorkeeper.entry.generator import check_entry, write_entry
from tools.mirrorkeeper.system.files import DiskFiles

LATER = "\n\nif __name__"
DEAD = {
    "another function": SOURCE.replace("sys.exit(main())", "sys.exit(build('x'))"),
    "a guard that never holds": SOURCE.replace('== "__main__"', '== "__mainx__"'),
    "a guard for everything else": SOURCE.replace('== "__main__"', '!= "__main__"'),
    "a function that nothing calls": SOURCE.replace("sys.exit(main())", "sys.exit(build('x'))").replace(
        LATER, f"\n\ndef other():\n    return main(){LATER}"
    ),
}
ALIVE = {
    "by another function": SOURCE.replace("sys.exit(main())", "other()").replace(
        LATER, f"\n\ndef other():\n    return main(){LATER}"
    ),
    "by its name": SOURCE.replace("sys.exit(main())", "globals()['main']()"),
    "by a decorator": SOURCE.replace("sys.exit(main())", "app()").replace("def main", "@app.command()\ndef main"),
    "below a refusal of imports": SOURCE.replace(
        "def build", "if __name__ != '__main__':\n    raise ImportError\n\n\ndef build"
    ),
    "from outside": SOURCE.partition("\n\nif __name__")[0] + "\n",
}


@pytest.mark.parametrize("case", DEAD)
def test_a_function_that_the_module_does_not_call_any_more_is_a_finding(tmp_path: Path, case: str) -> None:
    findings = check_entry(entry_fork(tmp_path, DEAD[case]).project).findings

    assert [one.code for one in findings] == ["GEN006", "GEN006"]
    assert all("is never reached: nothing that the module runs calls main" in one.message for one in findings)


@pytest.mark.parametrize("case", ALIVE)
def test_a_function_that_is_called_somehow_is_none(tmp_path: Path, case: str) -> None:
    assert write_entry(entry_fork(tmp_path, ALIVE[case]).project, DiskFiles()).findings == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("def main", "async def main", "`async def`"), ("    # built here\n", "    yield\n", "`generator`")],
)
def test_a_function_that_a_call_does_not_run_any_more_is_a_finding(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    source = SOURCE.replace(old, new)

    findings = check_entry(entry_fork(tmp_path / "one", source).project).findings
    assert f"the anchor 'build' stands under {said}, and its `under` says no condition" in findings[0].message
    kind = said.strip("`")
    declared = ENTRY.replace('under = ["', f'under = ["{kind}", "').replace(
        'insert_after = "app', f'under = ["{kind}"]\ninsert_after = "app'
    )
    assert write_entry(entry_fork(tmp_path / "other", source, declared).project, DiskFiles()).findings == ()
