"""Reset times in answers: fields of the body first, then Retry-After; nothing that is past or a month away."""

import json
from typing import Any

import pytest

from adapter.port import Answer
from extension.inspection.probes.reset_time import reset_time

NOW = 1_780_000_000_000


def refusal(body: dict[str, Any], **header: str) -> Answer:
    headers = {name.replace("_", "-"): (value,) for name, value in header.items()}
    return Answer(429, headers, json.dumps(body), truncated=False, elapsed=0.1)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (refusal({"error": {"resets_at": 1_780_000_600}}), NOW + 600_000),
        (refusal({"error": {"resets_in_seconds": 90}}), NOW + 90_000),
        (refusal({"error": {"reset_time": "2026-05-28T21:00:00Z"}}), 1_780_002_000_000),
        (refusal({}, Retry_After="120"), NOW + 120_000),
        (refusal({}, Retry_After="Thu, 28 May 2026 21:00:00 GMT"), 1_780_002_000_000),
        (refusal({"error": {"resets_in": "30s"}}), NOW + 30_000),
        (refusal({"error": {"resets_at": 1_770_000_000}}), None),
        (refusal({"error": {"resets_at": 1_980_000_000}}), None),
        (refusal({"error": {"resets_at": "soon"}}, Retry_After="later"), None),
        (refusal({"error": {"message": "out of credits"}}), None),
        (refusal({}, Retry_After="\u0663"), None),
        (refusal({}, Retry_After="\u0661\u0662\u0660s"), None),
        (refusal({"error": {"resets_in": "\u0663\u0660"}}), None),
        (refusal({"error": {"resets_at": "\u0662026-05-28T21:00:00Z"}}), None),
        (refusal({}, Retry_After="Thu, \u0662\u0668 May 2026 21:00:00 GMT"), None),
    ],
)
def test_an_answer_tells_when_its_limit_ends(answer: Answer, expected: int | None) -> None:
    assert reset_time(answer, NOW) == expected
