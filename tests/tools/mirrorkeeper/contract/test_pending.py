from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.mirrorkeeper.repositories import Upstream
from tools.mirrorkeeper.contract.pending import growth_findings, parse_pending
from tools.mirrorkeeper.errors import ToolError
from tools.mirrorkeeper.project import Project


def listed(*names: str) -> bytes:
    return ("[unmounted]\n" + "".join(f'"{name}" = "later"\n' for name in names)).encode()


def grown(project: Path) -> list[str]:
    text = (project / "pending.toml").read_text(encoding="utf-8")
    return [one.message for one in growth_findings(Project.at(project), "pending.toml", parse_pending(text, "x"))]


def test_the_list_may_shrink_and_never_grow(tmp_path: Path) -> None:
    repository = Upstream(tmp_path)
    repository.commit({"pending.toml": listed("a", "b")})
    assert grown(tmp_path) == []

    (tmp_path / "pending.toml").write_bytes(listed("a"))
    assert grown(tmp_path) == []

    (tmp_path / "pending.toml").write_bytes(listed("a", "b", "c"))
    (message,) = grown(tmp_path)
    assert message.startswith("lists c, which it did not in commit ")


def test_what_left_the_list_does_not_come_back_even_when_it_is_committed(tmp_path: Path) -> None:
    repository = Upstream(tmp_path)
    repository.commit({"pending.toml": listed("a", "b")})
    repository.commit({"pending.toml": listed("a")})
    repository.commit({"pending.toml": listed("a", "b")})

    (message,) = grown(tmp_path)
    assert message.startswith("lists b,")


def test_outside_of_git_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    (tmp_path / "pending.toml").write_bytes(listed("a"))

    assert grown(tmp_path) == []


@pytest.mark.parametrize("text", ["[", "[other]", '[unmounted]\na = ""', "[awaited]\na = 1"])
def test_a_list_that_cannot_be_read_or_gives_no_reason_says_so(text: str) -> None:
    with pytest.raises(ToolError):
        parse_pending(text, "pending.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unmounted = 5\n", "pending.toml: `unmounted` must be a table"),
        ('awaited = ["GET /x"]\n', "pending.toml: `awaited` must be a table"),
        ("x = " + "[" * 5000, "pending.toml is not valid TOML: nested too deeply"),
    ],
)
def test_a_list_that_is_no_table_is_refused_with_a_next_step(text: str, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_pending(text, "pending.toml")
    assert caught.value.text.startswith(message)
    assert caught.value.advice
