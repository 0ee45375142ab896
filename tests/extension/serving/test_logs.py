"""What reaches the log, and what never does."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.privacy.secret import HIDDEN, Redactor, Secret
from extension.serving.logs import Redaction, configure_logs

KNOWN = "plainlookingword"


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    before = logging.getLogger().handlers[:]
    configure_logs("info", "json", Redactor([KNOWN]))
    yield
    structlog.reset_defaults()
    logging.getLogger().handlers = before


def test_a_line_is_one_json_object_with_time_level_and_logger(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.get_logger("poolkeeper.test").info("done", run=3)
    structlog.get_logger("poolkeeper.test").debug("small talk")

    written = capsys.readouterr()
    line = json.loads(written.err)
    assert written.out == ""
    assert (line["event"], line["run"], line["level"], line["logger"]) == ("done", 3, "info", "poolkeeper.test")
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(
    "name", ["authorization", "Authorization", "cookie", "X-Management-Key", "x_poolkeeper_csrf", "key"]
)
def test_a_value_under_a_secret_name_is_hidden_whatever_it_is(name: str) -> None:
    clean = Redaction(Redactor())(None, "info", {"headers": {name: "abc"}})

    assert clean["headers"] == {name: HIDDEN}


def test_a_traceback_is_redacted_like_any_text(capsys: pytest.CaptureFixture[str]) -> None:
    error = ValueError(f"refused {KNOWN} and sk-abcdefghijklmnop")
    structlog.get_logger("poolkeeper.test").error("failed", exc_info=error)

    written = capsys.readouterr().err
    assert "ValueError: refused" in written
    assert KNOWN not in written
    assert "sk-abcdefghijklmnop" not in written


def test_what_libraries_say_is_redacted_too(capsys: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("some.library").warning("cannot reach http://user:%s@host/", KNOWN)
    logging.getLogger("some.library").info("small talk")

    line = json.loads(capsys.readouterr().err)
    assert line["logger"] == "some.library"
    assert KNOWN not in json.dumps(line)


def test_configuring_again_does_not_write_lines_twice(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("info", "console", Redactor())

    logging.getLogger("some.library").warning("once")

    assert capsys.readouterr().err.count("once") == 1


values = st.recursive(
    st.sampled_from([KNOWN, f"a {KNOWN} b", 5, None, True, Secret(KNOWN), ValueError(KNOWN)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=8,
)


@given(values)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_known_secret_is_found_however_deep_it_lies(value: object) -> None:
    clean = Redaction(Redactor([KNOWN]))(None, "info", {"event": "x", "value": value})

    assert KNOWN not in json.dumps(clean, default=repr)


def test_what_would_steer_a_terminal_is_written_out_and_a_traceback_keeps_its_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("info", "console", Redactor())
    structlog.get_logger("poolkeeper.test").info("request", path="/a\x1b[2Jb\x9b3m\x7f", text="one\ntwo")

    written = capsys.readouterr().err
    assert "\\x1b[2Jb\\x9b3m\\x7f" in written
    assert not any(mark in written for mark in "\x1b\x9b\x7f")
