from __future__ import annotations

import pytest

from tests.repository.documents.commands_shown import problem_of, shown, shown_in_full
from tests.repository.documents.texts import current_documents
from tests.repository.tracked import text_of
from tools.project.generate.documents import without_blocks


@pytest.mark.parametrize("name", current_documents())
def test_every_command_in_a_document_exists_with_its_options(name: str) -> None:
    problems = {command: problem_of(command) for command in shown(without_blocks(text_of(name)))}

    assert {command: problem for command, problem in problems.items() if problem} == {}


@pytest.mark.parametrize("name", current_documents())
def test_every_command_to_copy_parses_with_its_values(name: str) -> None:
    problems = {command: problem_of(command, in_full=True) for command in shown_in_full(text_of(name))}

    assert {command: problem for command, problem in problems.items() if problem} == {}


def test_the_readme_shows_commands_of_every_program() -> None:
    commands = shown_in_full(text_of("README.md")) + shown(text_of("README.md"))

    assert {"make run", "make test", "python -m tools gates"} <= set(commands)
    assert [command for command in commands if command.startswith("poolkeeper inspect")] != []


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("poolkeeper act --from 7", "there is no command 'act'"),
        ("poolkeeper run apply 7 --sideways", "apply has no option --sideways"),
        ("python -m tools mirror sink", "there is no command 'sink'"),
        (".venv/bin/python -m tools gates --selected", "gates has no option --selected"),
        ("KEY=1 make brun", "make has no target brun"),
        ("poolkeeper run apply RUN", ""),
        ("make gates", ""),
        ("ls -l", ""),
        ("an 'open quote", ""),
    ],
)
def test_a_command_that_does_not_exist_is_named(command: str, problem: str) -> None:
    assert problem_of(command) == problem


@pytest.mark.parametrize(
    "command",
    ["poolkeeper inspect --family cloude", "poolkeeper run", "poolkeeper schedule pause", "poolkeeper run show seven"],
)
def test_a_command_to_copy_needs_values_that_can_be_used(command: str) -> None:
    assert problem_of(command, in_full=True) != ""
    assert problem_of(command) == ""
