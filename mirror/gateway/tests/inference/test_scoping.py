"""Errors of a request: what stops it, what goes on, and what the operator's rules say."""

from pathlib import Path

import pytest
from hypothesis import strategies as st

from gateway.internal.inference.cooldown import Consequence, consequence_of
from tests.inference.pools import CHAT, CLIENT, compat, pool
from tests.inference.test_credential_files import file
from tests.management.serving import Served

STOP = Consequence(elsewhere=False, cools=False)
GO_ON = Consequence(elsewhere=True, cools=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["status", "match", "match-regexr", "action"]), inner)
    ),
)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"status": 429, "match": ["PROMPT IS"], "action": "stop"}, STOP),
        ({"status": 429, "match": ["absent", "long"], "action": " Continue "}, GO_ON),
        ({"status": 429, "match-regexr": ["too +l.ng"], "action": "stop"}, STOP),
        ({"status": 429, "match-regexr": ["("], "match": ["too"], "action": "stop"}, STOP),
        ({"status": 429, "match-regexr": ["("], "action": "stop"}, None),
        ({"status": 400, "match": ["too"], "action": "stop"}, None),
        ({"status": 429, "match": ["absent"], "action": "stop"}, None),
        ({"status": 429, "match": [" "], "action": "stop"}, None),
        ({"status": 429, "action": "stop"}, None),
        ({"status": 429, "match": ["too"], "action": "perhaps"}, None),
    ],
)
def test_a_rule_fits_by_status_and_by_what_the_error_says(rule: object, expected: Consequence | None) -> None:
    assert consequence_of([rule], 429, "the prompt is too  long") == expected


def remaining(served: Served, key: str) -> float:
    found = next(
        one for one in served.runtime.snapshot.credentials if key in {one.api_key, one.metadata.get("access_token")}
    )
    return max(
        (served.runtime.traffic.cooldowns.remaining(found.id, model) for model in ("demo-model", "claude-x")), default=0
    )


def ruled(*keys: str, action: str, status: int) -> str:
    rule = f"    request-scoped-errors: [{{status: {status}, match: [labelled], action: {action}}}]\n"
    return "openai-compatibility:\n" + compat("{url}", *keys) + rule


@pytest.mark.parametrize("status", [400, 409, 413, 415, 422])
async def test_an_error_of_the_request_is_not_tried_elsewhere_and_nobody_is_left_alone_for_it(
    tmp_path: Path, status: int
) -> None:
    text = "openai-compatibility:\n" + compat("{url}", f"s{status}-a", f"s{status}-b")
    async with pool(tmp_path, text) as (served, upstream):
        for _ in range(3):
            answer = await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT)
            assert answer.status == status
        assert len(upstream.keys) == 3
        assert remaining(served, f"s{status}-a") == remaining(served, f"s{status}-b") == 0


@pytest.mark.parametrize(
    ("action", "status", "asked", "cooled"),
    [
        ("stop", 500, 1, False),
        ("stop-and-cooldown", 400, 1, True),
        ("continue", 400, 2, False),
        ("continue-and-cooldown", 400, 2, True),
        ("continue", 401, 2, False),
    ],
)
async def test_a_rule_says_whether_another_is_asked_and_whether_this_one_is_left_alone(
    tmp_path: Path, action: str, status: int, asked: int, cooled: bool
) -> None:
    keys = (f"s{status}-a", f"s{status}-b")
    async with pool(tmp_path, ruled(*keys, action=action, status=status)) as (served, upstream):
        answer = await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT)
        assert answer.status == status
        assert len(upstream.keys) == asked
        assert [remaining(served, key) > 0 for key in upstream.keys] == [cooled] * asked


async def test_files_have_rules_of_their_own_and_of_their_provider(tmp_path: Path) -> None:
    rest = "oauth-request-scoped-errors:\n  claude:\n    - {status: 401, match: [labelled], action: stop}\n"
    files = file("claude", access_token="s401-x") | {
        "own.json": file("claude", access_token="s402-y", request_scoped_errors=[
            {"status": 402, "match": ["labelled"], "action": "stop"}
        ])["claude.json"]
    }  # fmt: skip
    async with pool(tmp_path, "", files=files, rest=rest) as (served, upstream):
        statuses = {
            (await served.request("POST", "/v1/messages", headers=CLIENT, json={"model": "claude-x"})).status
            for _ in range(4)
        }
        assert statuses == {401, 402}
        assert len(upstream.keys) == 4
        assert remaining(served, "s401-x") == remaining(served, "s402-y") == 0
