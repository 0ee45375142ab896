"""Every error of the packages below has an answer of its own."""

from collections.abc import Iterator

import pytest

from adapter.port import Capability, GatewayError
from adapter.port import errors as port_errors
from extension.api.problems import problem_of
from extension.engine import errors as engine_errors
from extension.engine.errors import EngineError
from extension.engine.prices import errors as price_errors
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Reason
from extension.store.errors import DatabaseTrouble

ENGINE_ERRORS: tuple[EngineError, ...] = (
    engine_errors.RunActive(1),
    engine_errors.RunUnknown(1),
    engine_errors.RunStateRefused("It has ended.", "Start another."),
    engine_errors.NothingToInspect("Nothing is in scope.", "Widen the scope."),
    engine_errors.AccountUnknown([1]),
    engine_errors.ScheduleUnknown(1),
    engine_errors.BatchUnknown(1),
    engine_errors.UndoRefused([7]),
    engine_errors.DeleteRefused(["key"]),
    engine_errors.LossNotAccepted(()),
    engine_errors.ChannelUnknown(1),
    engine_errors.ChannelLibraryMissing(),
)


def kinds_below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from kinds_below(inner)


def test_every_engine_error_is_tried_here() -> None:
    own = {kind for kind in kinds_below(EngineError) if kind.__module__ == engine_errors.__name__}

    assert own == {type(error) for error in ENGINE_ERRORS}


@pytest.mark.parametrize("error", ENGINE_ERRORS, ids=lambda error: type(error).__name__)
def test_an_engine_error_is_answered_with_its_own_words(error: EngineError) -> None:
    problem = problem_of(error)

    assert 400 <= problem.status < 500
    assert (problem.view.error, problem.view.code, problem.view.hint) == (str(error), error.code, error.hint)


@pytest.mark.parametrize("kind", tuple(kinds_below(GatewayError)), ids=lambda kind: kind.__name__)
def test_every_trouble_with_the_gateway_has_an_answer_of_its_own(kind: type[GatewayError]) -> None:
    error: GatewayError
    if kind is port_errors.Rejected:
        error = port_errors.Rejected("code", "It was refused.")
    elif kind is port_errors.Unsupported:
        error = port_errors.Unsupported(Capability.CALL, "It was refused.")
    else:
        error = kind("It was refused.")

    problem = problem_of(error)

    assert problem.view.error == "It was refused."
    assert problem.view.code not in {"gateway", "internal"}
    assert problem.view.hint


def test_a_refused_setting_is_a_400_that_names_it() -> None:
    problem = problem_of(SettingsError.because("workers", ReasonCode.FIELD_AT_MOST, bound=256))

    assert (problem.status, problem.view.code) == (400, "bad_setting")
    assert problem.view.error == "workers: it must be at most 256."
    assert "workers" in problem.view.hint
    assert problem.view.field == "workers"


def test_what_an_error_says_beyond_its_code_is_a_reason_with_parameters() -> None:
    reasons = problem_of(SettingsError.because("cron", ReasonCode.CRON_UNREADABLE, cron_part="hour")).view.reasons

    assert reasons is not None
    assert [(reason.code, reason.params) for reason in reasons] == [
        ("cron_unreadable", {"field": "cron", "cron_part": "hour"})
    ]
    assert problem_of(engine_errors.RunUnknown(1)).view.reasons is None


def test_an_alias_and_a_price_are_refused_with_the_field_that_is_wrong() -> None:
    assert problem_of(price_errors.AliasTaken("team")).view.field == "alias"
    assert (
        problem_of(price_errors.PriceInvalid(Reason(ReasonCode.PRICE_EMPTY), "rates.input")).view.field == "rates.input"
    )


def test_an_error_about_no_field_of_the_request_has_none() -> None:
    assert b'"field"' not in problem_of(engine_errors.RunActive(1)).answer().body


def test_trouble_with_the_database_is_not_the_visitors_fault() -> None:
    assert problem_of(DatabaseTrouble("The disk is full.")).status == 503


def test_anything_else_tells_nothing() -> None:
    problem = problem_of(ValueError("key sk-abcdefgh12345678"))

    assert problem.status == 500
    assert "sk-" not in problem.view.model_dump_json()
