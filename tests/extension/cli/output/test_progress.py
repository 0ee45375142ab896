"""A command whose service stops answering after it has taken it."""

from typing import Any, NoReturn

import pytest

from extension.cli.client.client import RequestRefused, StoreRefused
from extension.cli.output import progress


def test_a_command_that_was_taken_and_not_followed_to_its_end_is_said_to_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, taken: bool) -> NoReturn:
        if taken:
            _[2]({"id": 1, "done": 0, "total": 0})  # type: ignore[operator]
        raise StoreRefused(503, "store", "The database refused.")

    sentence_printed = []
    for taken in (True, False):
        monkeypatch.setattr(progress, "carried_out", lambda *given, taken=taken, **_: refused(*given, taken=taken))
        with pytest.raises(StoreRefused):
            progress.perform(_NOWHERE, "pool/actions", body={}, as_json=False)
        sentence_printed.append(
            "The service has taken the command; its result is not known yet." in capsys.readouterr().err
        )

    assert sentence_printed == [True, False]


def test_a_run_that_was_started_and_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RequestRefused), progress.naming_run_that_is_not_read({"id": 12}):
        raise RequestRefused(429, "too_many_reads", "Too many reads.")
    assert "Run 12 was started and goes on" in capsys.readouterr().err


_NOWHERE: Any = None
