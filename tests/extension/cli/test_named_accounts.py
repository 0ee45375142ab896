"""Accounts and hosts that a command on a run names, and changes on hold wherever they are told."""

from adapter.fake import reply
from tests.extension.api.test_resources import provider
from tests.extension.cli.command_line import typed, typed_json
from tests.extension.running_service import Running


async def test_a_dry_run_shows_the_named_accounts_alone(service: Running) -> None:
    service.gateway.upstream = provider
    run = str(await service.finished_run(await service.log_in()))
    whole = await typed_json(service, "run", "apply", run, "--dry-run")
    number = whole["plans"][0]["applied"][0]["account"]

    shown = await typed(service, "run", "apply", run, "--dry-run", "--account", str(number))

    assert shown.output.splitlines()[0] == "disable: 1 change, 0 on hold."


async def test_an_account_that_the_run_has_nothing_for_is_no_success(service: Running) -> None:
    service.gateway.upstream = provider
    run = str(await service.finished_run(await service.log_in()))
    for words in (("--dry-run",), ()):
        refused = await typed(service, "run", "apply", run, "--account", "99999", *words)
        assert (refused.exit_code, "no change of account 99999" in refused.output) == (2, True)
    assert not service.gateway.writes


async def test_every_line_that_names_an_account_has_its_place(service: Running) -> None:
    service.gateway.upstream = provider
    run = str(await service.finished_run(await service.log_in()))
    plan = (await typed_json(service, "run", "apply", run, "--dry-run"))["plans"][0]
    place = plan["applied"][0]["place"]
    assert place

    for words in (
        ("run", "show", run),
        ("run", "apply", run, "--dry-run"),
        ("run", "apply", run),
        ("action", "list"),
        ("account", "list"),
        ("run", "undo", run),
        ("account", "disable", str(plan["applied"][0]["account"])),
    ):
        assert place in (await typed(service, *words)).output, words


async def test_the_status_and_the_list_of_runs_tell_what_is_on_hold(service: Running) -> None:
    service.gateway.upstream = lambda _: reply(503, "busy")
    await service.finished_run(await service.log_in())
    for words in (("status",), ("run", "list"), ("run", "show")):
        assert "2 changes on hold" in (await typed(service, *words)).output, words
