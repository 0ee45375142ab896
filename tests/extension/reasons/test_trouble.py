"""Errors of the gateway and the store are codes, and keep their own words in English."""

import pytest

from adapter.port import Capability, GatewayError, errors
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.reasons.trouble import trouble_reasons
from extension.store.errors import DatabaseTrouble

SAID = "The gateway at http://127.0.0.1:8317 cannot be reached: is it running?"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.Unavailable(SAID), ReasonCode.GATEWAY_UNAVAILABLE),
        (errors.TimedOut(SAID), ReasonCode.GATEWAY_TIMED_OUT),
        (errors.Unauthorised(SAID), ReasonCode.GATEWAY_UNAUTHORISED),
        (errors.Banned(SAID), ReasonCode.GATEWAY_BANNED),
        (errors.NotFound(SAID), ReasonCode.GATEWAY_WITHOUT_IT),
        (errors.ConflictError(SAID), ReasonCode.GATEWAY_CHANGED),
        (errors.UnknownCredential(SAID), ReasonCode.GATEWAY_WITHOUT_ACCOUNT),
        (errors.Unsupported(Capability.USAGE, SAID), ReasonCode.GATEWAY_LACKS),
        (errors.Rejected("odd", SAID), ReasonCode.GATEWAY_FAILED),
    ],
)
def test_an_error_of_the_gateway_has_a_code_and_keeps_its_words(error: GatewayError, code: ReasonCode) -> None:
    reasons = trouble_reasons(error)

    assert (reasons.codes, reasons.text) == ((code,), SAID)


def test_an_error_of_the_store_has_a_code_and_keeps_its_words() -> None:
    reasons = trouble_reasons(DatabaseTrouble("The disk is full."))

    assert (reasons.codes, reasons.text) == ((ReasonCode.STORE_FAILED,), "The disk is full.")


def test_codes_with_words_of_their_own_stay_codes_beside_others() -> None:
    whole = because(ReasonCode.NOT_CHECKED) + trouble_reasons(errors.TimedOut(SAID)) + NO_REASON

    assert whole.codes == (ReasonCode.NOT_CHECKED, ReasonCode.GATEWAY_TIMED_OUT)
    assert whole.text == f"Not checked: {SAID}"
    assert (whole + ReasonList(written="A note.")).codes == ()
