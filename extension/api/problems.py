"""Errors of the HTTP interface, and the one place where anything that goes wrong becomes an answer.

Every error answer is `{"error", "code", "hint"}`: the event, a stable slug for programs, and the next step. One about a
field of the request names it in `field`, and one whose text says more than its code has `reasons`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from adapter.port import GatewayError
from adapter.port import errors as port_errors
from adapter.privacy.encodable import writable
from extension.api.payloads.payload import ProblemView, ReasonView
from extension.engine import errors as engine_errors
from extension.engine.actions.entry_edit import EntryRefused
from extension.engine.actions.sign_in import CallbackUnfit, SignInRefused
from extension.engine.budgets.budgets import BudgetUnknown
from extension.engine.client_keys import errors as key_errors
from extension.engine.dispatch.port import CommandInterrupted, CommandUnknown
from extension.engine.errors import EngineError
from extension.engine.fleet import errors as fleet_errors
from extension.engine.operators import errors as operator_errors
from extension.engine.prices import errors as price_errors
from extension.inspection.settings import SettingsError
from extension.reasons.codes import ReasonCode
from extension.reasons.field_flaw import field_flaw
from extension.reasons.reason import NO_REASON, Reason, ReasonList, because
from extension.reasons.trouble import trouble_reasons
from extension.store.errors import LeaseExpired, StoreError

UNEXPECTED_STATUS = 500
_LONGEST: Final = 1_000
_LONGEST_NAME: Final = 200
_LONGEST_PARAMETER: Final = 600


class Problem(Exception):  # noqa: N818 - it is an answer first, and an exception only to get out
    """An error answer; `headers` are sent with it.

    `reasons` are codes with parameters where the text says more than `code`: they phrase it in another language.
    """

    def __init__(
        self,
        status: int,
        error: str,
        code: str,
        hint: str,
        headers: Mapping[str, str] = MappingProxyType({}),
        *,
        field: str = "",
        reasons: ReasonList = NO_REASON,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.view = ProblemView(
            error=_shown(error),
            code=code,
            hint=_shown(hint),
            field=_named(field),
            reasons=ReasonView.all_of(reasons.redacted(_parameter)) or None,
        )
        self.headers = dict(headers)

    def answer(self) -> JSONResponse:
        """Make the HTTP answer; no cache may keep it."""
        body = self.view.model_dump(by_alias=True, exclude_none=True)
        return JSONResponse(body, self.status, {"Cache-Control": "no-store", **self.headers})


def _shown(text: str) -> str:
    """Return a sentence as it can be sent: it may repeat a name that a request made up."""
    return writable(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _parameter(text: str) -> str:
    """Return a parameter as it can be sent: a name that a request made up is clipped, a list of ours is not."""
    return writable(text if len(text) <= _LONGEST_PARAMETER else f"{text[: _LONGEST_NAME - 1]}…")


def _named(field: str) -> str | None:
    """Return the name of a field as it can be sent; one that no request of ours has may be of any length."""
    return writable(field) if 0 < len(field) <= _LONGEST_NAME else None


_ENGINE_STATUS: Mapping[type[EngineError], int] = {
    engine_errors.RunActive: 409,
    engine_errors.RunUnknown: 404,
    engine_errors.RunStateRefused: 409,
    engine_errors.NothingToInspect: 409,
    engine_errors.AccountUnknown: 404,
    engine_errors.ScheduleUnknown: 404,
    engine_errors.BatchUnknown: 404,
    engine_errors.DeleteRefused: 409,
    engine_errors.LossNotAccepted: 409,
    engine_errors.ChannelUnknown: 404,
    engine_errors.ChannelLibraryMissing: 409,
    engine_errors.UndoRefused: 409,
    SignInRefused: 409,
    EntryRefused: 409,
    CallbackUnfit: 400,
    CommandUnknown: 404,
    fleet_errors.GatewayUnknown: 404,
    fleet_errors.GatewayTaken: 409,
    fleet_errors.GatewayFieldUnfit: 400,
    fleet_errors.KeyRefusedBefore: 409,
    fleet_errors.NoFleet: 404,
    fleet_errors.FleetRunUnknown: 404,
    fleet_errors.NoGatewayChosen: 409,
    CommandInterrupted: 409,
    operator_errors.OperatorUnknown: 404,
    operator_errors.OperatorNameInvalid: 400,
    operator_errors.OperatorExists: 409,
    operator_errors.AdminLimited: 409,
    operator_errors.LastAdmin: 409,
    operator_errors.TokenUnknown: 404,
    BudgetUnknown: 404,
    key_errors.ClientKeyUnknown: 404,
    key_errors.LastClientKey: 409,
    key_errors.ClientKeyCopyGone: 409,
    key_errors.ClientKeyWriteDrops: 409,
    price_errors.PriceUnknown: 404,
    price_errors.PriceInvalid: 400,
    price_errors.ListUnavailable: 502,
    price_errors.PreviewOutdated: 409,
    price_errors.AliasTaken: 409,
    price_errors.AliasUnknown: 404,
}

_GATEWAY_ANSWERS: Mapping[type[GatewayError], tuple[int, str, str]] = {
    port_errors.Untrusted: (
        503,
        "gateway_untrusted",
        (
            "Set SSL_CERT_FILE to a file with the certificate of its authority, for a plugin in the environment of the"
            " gateway, and start it again."
        ),
    ),
    port_errors.Unavailable: (503, "gateway_unavailable", "Check that the gateway is running, then try again."),
    port_errors.TimedOut: (504, "gateway_timed_out", "Read the pool again to see what took effect, then try again."),
    port_errors.Unauthorised: (
        502,
        "gateway_unauthorised",
        (
            "Give the service the gateway's current management key, in a fleet with `poolkeeper gateway edit NAME"
            " --key`. On a stock gateway run `poolkeeper plugin install --gateway-dir DIR` with it. A plugin reads its"
            " key file (`management-key-file`, or else poolkeeper-management.key beside config.yaml) again by itself;"
            " restart any other service."
        ),
    ),
    port_errors.Banned: (503, "gateway_banned", "Wait until the gateway's lock-out has ended."),
    port_errors.NotFound: (404, "not_in_gateway", "Read the pool again: it has changed."),
    port_errors.UnknownCredential: (409, "unknown_credential", "Read the pool again: it has changed."),
    port_errors.ConflictError: (409, "conflict", "Read the pool again: it has changed, and nothing was written."),
    port_errors.Rejected: (409, "rejected", "Change it in the gateway's configuration instead."),
    port_errors.Unsupported: (501, "unsupported", "Use a gateway that can do it."),
}

_STATUS_ANSWERS: Mapping[int, tuple[str, str, str]] = {
    404: ("There is nothing at this address.", "not_found", "See the paths in the OpenAPI description, info/openapi."),
    405: ("This address does not know that method.", "method_not_allowed", "See the Allow header."),
    408: ("The body of the request did not arrive in time.", "too_slow", "Send it again."),
    413: ("The request is too large.", "too_large", "Send less in one request: fewer accounts, or fewer lines."),
}


def problem_of(error: Exception) -> Problem:
    """Translate an exception; an unforeseen one becomes a 500 that only points to the log."""
    translate = next((made for kind, made in _TRANSLATIONS.items() if isinstance(error, kind)), _unexpected_problem)
    return translate(error)


def _engine_problem(error: EngineError) -> Problem:
    status = next((code for kind, code in _ENGINE_STATUS.items() if isinstance(error, kind)), UNEXPECTED_STATUS)
    return Problem(status, str(error), error.code, error.hint, field=error.field, reasons=error.reasons)


def _setting_problem(error: SettingsError) -> Problem:
    hint = f"Correct {error.field}." if error.required else f"Correct {error.field}, or leave it out for its default."
    return Problem(400, str(error), "bad_setting", hint, field=error.field, reasons=error.reasons)


def _store_problem(error: StoreError) -> Problem:
    if isinstance(error, LeaseExpired):
        return Problem(503, str(error), "standby", "Repeat the request.")
    hint = "Check the free space and permissions of the data folder, or the database server, and the log."
    return Problem(503, str(error), "store", hint)


def _unexpected_problem(_error: Exception) -> Problem:
    text = "Something went wrong inside the service."
    return Problem(UNEXPECTED_STATUS, text, "internal", "See the service's log.")


def _gateway_problem(error: GatewayError) -> Problem:
    """Translate an error of the gateway; a Retry-After it sent is passed on."""
    status, code, hint = next(
        (answer for kind, answer in _GATEWAY_ANSWERS.items() if isinstance(error, kind)),
        (502, "gateway", "Look at the gateway's log."),
    )
    headers = {}
    if isinstance(error, port_errors.Unavailable) and error.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(error.retry_after)))
    return Problem(status, error.text, code, hint, headers, reasons=trouble_reasons(error))


def _validation_problem(error: RequestValidationError) -> Problem:
    """Name the first invalid field; its value is not repeated, as it may be a secret."""
    detail = error.errors()[0]
    place, *path = (str(part) for part in detail["loc"])
    if detail["type"] == "json_invalid":
        return bad_request(because(ReasonCode.BODY_NO_JSON), "Send a JSON object.")
    field = ".".join(path)
    if not field:
        unfit = because(ReasonCode.REQUEST_UNFIT, request_part=place)
        return bad_request(unfit, "Send a JSON object with Content-Type: application/json.")
    if detail["type"] == "extra_forbidden":
        unknown = because(ReasonCode.FIELD_UNKNOWN, field=field)
        return bad_request(unknown, f"Leave {field} out of the {place}.", field)
    return bad_request(ReasonList((request_flaw(field, detail),)), f"Correct {field} in the {place}.", field)


def bad_request(reasons: ReasonList, hint: str, field: str = "") -> Problem:
    """Make the answer to a request that cannot be used."""
    return Problem(400, reasons.text, "bad_request", hint, field=field, reasons=reasons)


def _status_problem(error: HTTPException) -> Problem:
    text, code, hint = _STATUS_ANSWERS.get(
        error.status_code, ("The request cannot be answered.", "bad_request", "Look at the request again.")
    )
    return Problem(error.status_code, text, code, hint, error.headers or {})


_TRANSLATIONS: Mapping[type[Exception], Callable[[Any], Problem]] = {
    Problem: lambda problem: problem,
    EngineError: _engine_problem,
    SettingsError: _setting_problem,
    GatewayError: _gateway_problem,
    StoreError: _store_problem,
    RequestValidationError: _validation_problem,
    HTTPException: _status_problem,
}
FORESEEN: tuple[type[Exception], ...] = tuple(_TRANSLATIONS)
"""Every kind of error that has an answer of its own."""


_FORMS: Final[Mapping[str, ReasonCode]] = {
    "amount": ReasonCode.FIELD_NO_AMOUNT,
    "requestId": ReasonCode.FIELD_NO_HEXADECIMAL,
    "digest": ReasonCode.FIELD_NO_DIGEST,
}
"""Forms of texts that have a pattern, by the name of the field."""


def request_flaw(field: str, detail: Mapping[str, Any]) -> Reason:
    """Return the reason for an error of the validation."""
    return field_flaw(field, detail, _FORMS.get(str(detail["loc"][-1]), ReasonCode.FIELD_UNFIT))
