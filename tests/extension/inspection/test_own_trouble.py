"""Our own trouble is never a verdict about a key."""

import pytest

from adapter.port import NoAnswerKind, Section
from extension.inspection.settings import parse_settings
from tests.extension.inspection.samples import answer, judged, key_account, silence

CHECKED = parse_settings({"accountSource": "api_key", "retries": 0})


@pytest.mark.parametrize(
    "detail",
    ["[Errno 24] Too many open files", "EMFILE", "dial tcp: no buffer space available", "Cannot allocate memory"],
)
def test_a_lack_of_resources_is_no_unreachable_provider(detail: str) -> None:
    judgement = judged(key_account(Section.CLAUDE), silence(NoAnswerKind.CONNECT, detail), settings=CHECKED)

    assert (judgement.verdict, judgement.status) == ("unknown", None)
    assert "short of resources" in judgement.reason.text


@pytest.mark.parametrize("body", ['{"data":[NaN]}', '{"data":[{"id":Infinity}]}', '{"data":[-Infinity]}'])
def test_a_number_that_is_none_is_no_proof_of_health(body: str) -> None:
    assert judged(key_account(), answer(200, body), settings=CHECKED).verdict == "inconclusive"


@pytest.mark.parametrize("status", [0, 7, 99, 600, 999])
def test_a_status_outside_of_http_proves_nothing(status: int) -> None:
    assert judged(key_account(Section.CLAUDE), answer(status), settings=CHECKED).verdict == "inconclusive"
