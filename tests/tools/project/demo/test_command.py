"""Options of the demo's commands."""

from pathlib import Path

from click.testing import CliRunner

from tools.project.demo.command import demo


def folder_of_run(*words: str) -> Path:
    """Return the folder that `run` takes, without running it."""
    with demo.make_context("demo", list(words)) as context:
        folders: list[Path] = []
        run = demo.get_command(context, "run")
        assert run is not None
        ran, run.callback = run.callback, lambda folder, **_: folders.append(folder)
        try:
            demo.invoke(context)
        finally:
            run.callback = ran
    return folders[0]


def test_a_folder_before_the_command_counts_as_one_after_it() -> None:
    assert folder_of_run("--folder", "elsewhere", "run") == Path("elsewhere")
    assert folder_of_run("run", "--folder", "elsewhere") == Path("elsewhere")
    assert folder_of_run("--folder", "elsewhere", "run", "--folder", "there") == Path("there")


def test_the_help_of_both_commands_names_the_folder() -> None:
    for words in (["--help"], ["run", "--help"]):
        assert "--folder" in CliRunner().invoke(demo, words).output
