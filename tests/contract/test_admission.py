import json

from adapter.port import AdmissionAttempt, Admitted, Denied
from adapter.privacy.secret import Secret
from tests.contract.pool import MANAGEMENT_KEY
from tests.contract.stage import Stage

RIGHT = Secret(MANAGEMENT_KEY)
WRONG = Secret("a wrong key")
LOOPBACK = "127.0.0.1"


async def test_the_right_key_is_admitted(stage: Stage) -> None:
    assert await stage.gateway.admit(AdmissionAttempt(RIGHT, LOOPBACK)) == Admitted()


async def test_a_wrong_key_is_denied_with_the_gateways_own_answer(stage: Stage) -> None:
    denied = await stage.gateway.admit(AdmissionAttempt(WRONG, LOOPBACK))
    assert isinstance(denied, Denied)
    assert (denied.status, json.loads(denied.body)) == (401, {"error": "invalid management key"})
    assert denied.retry_after is None


async def test_a_missing_key_is_denied(stage: Stage) -> None:
    for key in (None, Secret("")):
        denied = await stage.gateway.admit(AdmissionAttempt(key, LOOPBACK))
        assert isinstance(denied, Denied)
        assert (denied.status, json.loads(denied.body)) == (401, {"error": "missing management key"})


async def test_five_failures_in_a_row_ban_the_peer_even_with_the_right_key(stage: Stage) -> None:
    for _ in range(5):
        failed = await stage.gateway.admit(AdmissionAttempt(WRONG, LOOPBACK))
        assert isinstance(failed, Denied)
        assert failed.status == 401
    denied = await stage.gateway.admit(AdmissionAttempt(RIGHT, LOOPBACK))
    assert isinstance(denied, Denied)
    assert denied.status == 403
    assert "banned" in json.loads(denied.body)["error"]
    assert denied.retry_after is not None
    assert 1700 < denied.retry_after <= 1800


async def test_a_ban_is_of_one_peer(stage: Stage) -> None:
    for _ in range(5):
        await stage.gateway.admit(AdmissionAttempt(WRONG, LOOPBACK))
    assert await stage.gateway.admit(AdmissionAttempt(RIGHT, "::1")) == Admitted()


async def test_the_right_key_forgives_the_failures_before_it(stage: Stage) -> None:
    for key in (WRONG, WRONG, WRONG, WRONG, RIGHT, WRONG, WRONG, WRONG, WRONG):
        await stage.gateway.admit(AdmissionAttempt(key, LOOPBACK))
    assert await stage.gateway.admit(AdmissionAttempt(RIGHT, LOOPBACK)) == Admitted()


async def test_no_answer_repeats_the_key(stage: Stage) -> None:
    assert "a wrong key" not in repr(await stage.gateway.admit(AdmissionAttempt(WRONG, LOOPBACK)))
