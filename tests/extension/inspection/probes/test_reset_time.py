"""Reset times in answers: fields of the body first, then Retry-After; nothing that is past or a month away."""

import json
from dataclasses import replace
from datetime import datetime
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


def saying(message: str) -> Answer:
    return refusal({"type": "error", "error": {"type": "rate_limit_error", "message": message}})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "[1310][Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-05-29 05:00:00]",
            "2026-05-28T21:00:00Z",
        ),
        ("已达到 5 小时的使用上限。您的限额将在 2026-05-29 05:00:00 重置。", "2026-05-28T21:00:00Z"),
        ("Quota used up, it resets at 2026-05-28 21:00:00.", "2026-05-28T21:00:00Z"),
        ("Quota used up. Resets at 2026-05-29T05:00:00+08:00", "2026-05-28T21:00:00Z"),
        ("You will regain access on 2026-06-01 at 00:00 UTC.", "2026-06-01T00:00:00Z"),
        ("Claude AI usage limit reached|1780002000", "2026-05-28T21:00:00Z"),
        ("litellm.RateLimitError: {'message': 'Please try again in 33m20s.'}", "2026-05-28T21:00:00Z"),
        ("Please try again in 1 hour and 5 minutes", "2026-05-28T21:31:40Z"),
        ("客户端额度已用完 33 分钟后重置", "2026-05-28T20:59:40Z"),
        ("5 小时的额度已用尽, 稍后恢复", None),
        ("The quota ended 2026-05-20 10:00:00, it is reset by an administrator", None),
        ("Requested 2026-05-29 05:00:00, out of credits", None),
        ("resets at 2026-13-45 99:00:00", None),
        ("a" * 5_000 + " resets at 2026-05-29 05:00:00", None),
        ("again in " + "9" * 5_000, None),
    ],
)
def test_the_words_of_a_quota_tell_its_end_wherever_the_host_is(message: str, expected: str | None) -> None:
    moment = round(datetime.fromisoformat(expected).timestamp() * 1000) if expected else None
    assert reset_time(saying(message), NOW) == moment


def test_a_time_is_read_from_an_answer_that_repeats_the_key() -> None:
    assert reset_time(replace(saying("It resets at 2026-05-28 21:00:00."), repeats_key=True), NOW) is not None
