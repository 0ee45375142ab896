import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from extension.cli.parsing.command_group import CommandGroup
from extension.cli.program import poolkeeper
from tests.extension.cli.command_line import ROOT

HEAVY = ("aiohttp", "fastapi", "pydantic", "rich", "sqlalchemy", "starlette", "uvicorn")


def commands(group: CommandGroup = poolkeeper, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every command with the sentence that the list of its group shows."""
    for name, summary in group.summaries().items():
        yield (*path, name), summary
        if isinstance(command := loaded((*path, name)), CommandGroup):
            yield from commands(command, (*path, name))


def loaded(path: tuple[str, ...]) -> click.Command:
    command: click.Command | None = poolkeeper
    for name in path:
        assert isinstance(command, CommandGroup)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    return command


EVERY = dict(commands())


def run(*words: str, **environment: str) -> tuple[int, str]:
    done = CliRunner().invoke(poolkeeper, [*words], env=environment)
    return done.exit_code, done.output


@pytest.mark.parametrize("columns", [80, 100])
def test_help_lists_every_command_with_one_whole_sentence(columns: int) -> None:
    for path, summary in EVERY.items():
        status, output = run(*path[:-1], "--help", COLUMNS=str(columns))
        assert status == 0
        assert any(line.split(maxsplit=1) == [path[-1], summary] for line in output.splitlines()), path
        assert summary.endswith(".")


@pytest.mark.parametrize("path", EVERY)
def test_every_command_explains_itself_within_the_terminal(path: tuple[str, ...]) -> None:
    status, output = run(*path, "--help", COLUMNS="80")

    assert status == 0
    assert output.startswith(f"Usage: poolkeeper {' '.join(path)} ")
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize("path", [path for path in EVERY if path != ("inspect",)])
def test_the_list_and_the_command_describe_it_alike(path: tuple[str, ...]) -> None:
    assert (loaded(path).help or "").strip().partition("\n")[0] == EVERY[path]


def test_options_are_listed_in_groups() -> None:
    _, output = run("inspect", "--help")
    headings = [line for line in output.splitlines() if line.endswith(":") and not line.startswith(" ")]

    assert headings[0] == "Options:"
    assert headings[-1] == "Connection:"
    assert {"Scope:", "Checks:", "Circuit breaker:"} < set(headings)


@pytest.mark.parametrize("words", [("inspect",), ("schedule", "add")])
def test_the_help_names_the_sources_that_a_command_takes_without_an_option(words: tuple[str, ...]) -> None:
    assert "[default: both]" in run(*words, "--help")[1]


def test_the_version_is_shown() -> None:
    assert run("--version")[1].startswith("poolkeeper ")


@pytest.mark.parametrize(
    ("words", "closest"), [(("inspct",), "inspect"), (("run", "strat"), "start"), (("acount", "list"), "account")]
)
def test_an_unknown_command_is_refused_with_the_closest_one(words: tuple[str, ...], closest: str) -> None:
    status, output = run(*words)
    assert (status, f"Did you mean {closest}?" in output) == (2, True)


def test_a_word_like_no_command_gets_no_suggestion() -> None:
    assert "Did you mean" not in run("xyzzy")[1]


@pytest.mark.parametrize(
    "words", [("inspect", "--family", "zzz"), ("inspect", "--brake-share", "7"), ("run", "show", "abc")]
)
def test_an_error_is_wrapped_between_words_on_a_terminal(words: tuple[str, ...]) -> None:
    status, output = run(*words, COLUMNS="50")
    _, one_line = run(*words, COLUMNS="1000")

    assert (status, max(map(len, output.splitlines())) <= 50) == (2, True)
    assert output.split() == one_line.split()
    assert len(output.splitlines()) > len(one_line.splitlines())


def test_a_group_without_a_command_shows_its_help_whole() -> None:
    assert run("run")[1].startswith("Usage: poolkeeper run [OPTIONS] COMMAND")


def test_completion_offers_families_by_their_vendors() -> None:
    words = {"_POOLKEEPER_COMPLETE": "bash_complete", "COMP_WORDS": "poolkeeper inspect --family c", "COMP_CWORD": "3"}
    done = CliRunner().invoke(poolkeeper, prog_name="poolkeeper", env=words)

    assert done.output.split() == ["plain,claude", "plain,codex"]


def test_an_interrupted_command_does_not_end_as_if_it_had_findings() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = f"http://127.0.0.1:{silent.getsockname()[1]}"
        program = [sys.executable, "-m", "extension", "status", "--server", server]
        environment = {"POOLKEEPER_MANAGEMENT_KEY": "a key"}
        with subprocess.Popen(program, env=environment, stderr=subprocess.PIPE, text=True) as process:
            asked, _ = silent.accept()
            process.send_signal(signal.SIGINT)
            _, output = process.communicate(timeout=30)
            asked.close()

    assert (process.returncode, output) == (130, "poolkeeper: interrupted.\n")


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys; from extension.cli.program import poolkeeper; "
        f"poolkeeper({words!r}, standalone_mode=False); "
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout.rstrip().endswith("[]")


def test_a_command_of_a_running_service_starts_without_a_server() -> None:
    program = (
        "import sys; import extension.cli.run, extension.cli.account, extension.cli.usage; "
        "print(sorted({'aiohttp', 'fastapi', 'sqlalchemy', 'uvicorn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout == "[]\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(shell: str) -> None:
    status, script = run("completion", shell)
    assert (status, "_POOLKEEPER_COMPLETE" in script) == (0, True)


def test_completion_offers_commands_and_options() -> None:
    environment = {"_POOLKEEPER_COMPLETE": "bash_complete", "COMP_WORDS": "poolkeeper run s", "COMP_CWORD": "2"}
    done = CliRunner().invoke(poolkeeper, prog_name="poolkeeper", env=environment)
    assert done.output.split() == ["plain,start", "plain,show", "plain,stop"]
