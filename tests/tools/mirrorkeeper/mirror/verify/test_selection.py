"""A changed `include`, `exclude` or `subfolder` waits for a synchronization, and `mirror sync` applies it."""

from __future__ import annotations

import pytest

from tests.tools.mirrorkeeper.patch.at_work import REASONS, work
from tests.tools.mirrorkeeper.repositories import Fork, contents
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.gates import run_gates
from tools.mirrorkeeper.mirror.verify.verify import VerifyOptions, verify

pytestmark = pytest.mark.slow


def declare(fork: Fork, line: str) -> None:
    place = fork.project.declaration_path
    text = place.read_text("utf-8").replace("exclude = []", line)
    place.write_text(text, encoding="utf-8")


def messages(fork: Fork) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in verify(fork.project, VerifyOptions()).findings if one.code != "MIR011"]


def test_an_include_that_was_added_is_found_and_applied(fork: Fork) -> None:
    declare(fork, 'include = ["src"]')

    text = "mirror/upstream.toml leaves README.md and 1 other file out, which mirror/gateway holds"
    assert messages(fork) == [("PIN002", text)]
    assert "PIN002" in [one.code for one in run_gates(fork.project, ("mirror",)).findings]
    fork.sync()
    assert list(contents(fork.mirror)) == ["src/app.py"]
    assert fork.codes(prove=True) == []


def test_an_exclude_that_was_added_is_found_with_a_true_sentence_and_applied(fork: Fork) -> None:
    declare(fork, 'exclude = ["src"]')

    assert messages(fork) == [("PIN002", "mirror/upstream.toml leaves src/app.py out, which mirror/gateway holds")]
    fork.sync()
    assert sorted(contents(fork.mirror)) == ["README.md", "run.sh"]
    assert fork.codes(prove=True) == []
    declare(fork, "")
    text = fork.project.declaration_path.read_text("utf-8")
    fork.project.declaration_path.write_text(text.replace('exclude = ["src"]', ""), encoding="utf-8")
    fork.sync()
    assert "src/app.py" in contents(fork.mirror)


@pytest.mark.parametrize("line", ['exclude = ["src/*.py"]', 'include = ["*.md"]'])
def test_a_selection_without_a_patched_file_is_an_error(fork: Fork, line: str) -> None:
    (fork.mirror / "src/app.py").write_bytes(b"ours\n")
    work(fork).new("ours", REASONS, from_mirror=True)
    fork.sync(discard=True)
    fork.commit()
    declare(fork, line)

    found = [one for one in verify(fork.project, VerifyOptions()).findings if "which ours.patch changes" in one.message]
    assert [(one.code, one.message.partition(",")[0]) for one in found] == [("PIN002", "leaves src/app.py out")]
    before = contents(fork.mirror)
    with pytest.raises(ToolError, match=r"touches src/app\.py, which is not mirrored"):
        fork.sync()
    assert contents(fork.mirror) == before


def test_an_include_of_what_is_not_there_is_a_stale_declaration(fork: Fork) -> None:
    declare(fork, 'include = ["*", "gone"]')

    assert messages(fork) == [("MIR008", "includes 'gone', and v1.0.0 mirrors nothing of that name")]
