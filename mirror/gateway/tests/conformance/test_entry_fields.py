"""The fields of the entries of every list: which exist, and which PATCH sets."""

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.key_pool import entries
from tests.conformance.stock import OK, ask, stock

BASE = {"api-key": "k", "base-url": "http://b", "name": "n"}
MODEL = {"name": "m", "alias": "a"}
VALUES: dict[str, object] = {
    "api-key": "other",
    "name": "other",
    "priority": 7,
    "weight": 2,
    "prefix": "team",
    "base-url": "http://c",
    "proxy-url": "direct",
    "models": [MODEL],
    "headers": {"A": "b"},
    "excluded-models": ["opus-*"],
    "disable-cooling": True,
    "request-retry": 2,
    "request-scoped-errors": [{"status": 400, "match": ["full"], "match-regexr": ["f.*"], "action": "stop"}],
    "websockets": True,
    "alpha-search": True,
    "rebuild-mid-system-message": True,
    "cloak": {"mode": "auto", "strict-mode": True, "sensitive-words": ["w"], "cache-user-id": True},
    "fingerprint-profile": "claude-code-cli",
    "experimental-cch-signing": True,
    "disabled": True,
    "api-key-entries": [{"api-key": "k2", "weight": 3, "proxy-url": "direct"}],
    "support-prompt-cache-key": True,
    "nobody-knows": 1,
}
COMMON = "api-key weight prefix base-url proxy-url headers excluded-models disable-cooling request-retry"
RULED = f"{COMMON} request-scoped-errors"


@pytest.mark.parametrize(
    ("section", "settable", "further"),
    [
        ("gemini-api-key", RULED, "priority models"),
        ("interactions-api-key", RULED, "priority models"),
        (
            "claude-api-key",
            f"{RULED} models rebuild-mid-system-message fingerprint-profile",
            "priority cloak experimental-cch-signing",
        ),
        ("codex-api-key", f"{RULED} models alpha-search", "priority websockets"),
        ("xai-api-key", f"{RULED} models priority websockets", ""),
        ("vertex-api-key", f"{COMMON} models", "priority"),
        (
            "openai-compatibility",
            (
                "name disabled prefix base-url api-key-entries models headers support-prompt-cache-key disable-cooling "
                "request-retry request-scoped-errors"
            ),
            "priority",
        ),
    ],
)
async def test_a_list_has_these_fields_and_patch_sets_those(
    tmp_path: Path, section: str, settable: str, further: str
) -> None:
    existing = {*settable.split(), *further.split()}
    async with stock(tmp_path) as served:
        assert (await ask(served, f"PUT {section}", [VALUES])).json == OK
        (written,) = entries(served, section)
        assert written.keys() == existing
        assert {name: written[name] for name in existing} == {name: VALUES[name] for name in existing}
        listed: Any = (await ask(served, f"GET {section}")).json
        assert {*listed[section][0]} - {"auth-index"} == existing | ({"disabled"} & existing)
        for name, value in VALUES.items():
            start = {**BASE, "headers": {"X": "y"}} if name != "headers" else BASE
            await ask(served, f"PUT {section}", [start])
            (before,) = entries(served, section)
            assert (await ask(served, f"PATCH {section}", {"index": 0, "value": {name: value}})).json == OK
            (after,) = entries(served, section)
            assert after == (before | {name: value} if name in settable.split() else before), name


FULL_MODEL = {
    "name": "m",
    "alias": "a",
    "display-name": "M",
    "max-context-length": 8,
    "force-mapping": True,
    "is-compat": True,
    "image": True,
    "input-modalities": ["text"],
    "output-modalities": ["text"],
}


@pytest.mark.parametrize(
    ("section", "without"),
    [
        ("gemini-api-key", "image input-modalities output-modalities"),
        ("claude-api-key", "image input-modalities output-modalities"),
        ("codex-api-key", "image input-modalities output-modalities"),
        ("xai-api-key", "image input-modalities output-modalities"),
        ("vertex-api-key", "image input-modalities output-modalities max-context-length is-compat"),
        ("openai-compatibility", ""),
    ],
)
async def test_a_model_has_these_fields(tmp_path: Path, section: str, without: str) -> None:
    async with stock(tmp_path) as served:
        await ask(served, f"PUT {section}", [{**BASE, "models": [FULL_MODEL]}])
        (entry,) = entries(served, section)
        (model,) = entry["models"]
    assert model == {name: value for name, value in FULL_MODEL.items() if name not in without.split()}


async def test_thinking_has_hyphens_in_yaml_and_underscores_in_json(tmp_path: Path) -> None:
    thinking = {"min": 1, "max": 9, "zero_allowed": True, "dynamic_allowed": True, "levels": ["low"]}
    async with stock(tmp_path) as served:
        await ask(served, "PUT claude-api-key", [{"api-key": "k", "models": [{**MODEL, "thinking": thinking}]}])
        (entry,) = entries(served, "claude-api-key")
        listed: Any = (await ask(served, "GET claude-api-key")).json
    assert listed["claude-api-key"][0]["models"][0]["thinking"] == thinking
    assert entry["models"][0]["thinking"] == {name.replace("_", "-"): value for name, value in thinking.items()}
