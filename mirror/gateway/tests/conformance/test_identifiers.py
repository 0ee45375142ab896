"""The ids of credentials and their short indexes, with the vectors of the stock gateway."""

from pathlib import Path

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.pool.keys import (
    StableIds,
    compat_kind,
    compat_provider,
    index_of_file,
    index_of_seed,
    stem_of,
    synthesise,
)
from tests.conformance.pools import KINDS

BASE = "https://api.example.com"
OPEN_ROUTER = "https://openrouter.ai/api/v1"
HEADERS = "X-A\x001\x00x-b\x002\x00"


@pytest.mark.parametrize(
    ("kind", "parts", "expected"),
    [
        ("claude:apikey", ("sk-test", BASE, "", "", ""), "claude:apikey:6ddeb420187e"),
        ("claude:apikey", (" sk-test\t", f"{BASE} ", "", " ", ""), "claude:apikey:6ddeb420187e"),
        ("gemini:apikey", ("AIza-test", "", "", "", ""), "gemini:apikey:4ce350283fc8"),
        (compat_kind(" OpenRouter"), ("sk-or-1", OPEN_ROUTER, ""), "openai-compatibility:openrouter:e61d0a8ce025"),
        (
            "codex:apikey",
            ("sk-c", "https://api.openai.com/v1", "socks5://p:1", "team", HEADERS),
            "codex:apikey:d75dce924b3f",
        ),
        (compat_kind("local"), ("http://127.0.0.1:8000/v1",), "openai-compatibility:local:7f6e7b6cfac1"),
        ("vertex:apikey", ("vk-1", "https://v.example/api", ""), "vertex:apikey:e84ea10614fa"),
    ],
)
def test_ids_are_those_of_the_stock_gateway(kind: str, parts: tuple[str, ...], expected: str) -> None:
    assert StableIds().numbered(stem_of(kind, *parts)) == expected


def test_equal_credentials_are_numbered_from_the_second_on() -> None:
    ids = StableIds()
    stems = [stem_of("k", part) for part in ("a", " a ", "b", "a")]
    assert [ids.numbered(stem) for stem in stems] == [stems[0], f"{stems[0]}-1", stems[2], f"{stems[0]}-2"]


@pytest.mark.parametrize(
    ("place", "credential_id", "index"),
    [
        (0, "gemini:apikey:4ce350283fc8", "279aa92e96e01e2d"),
        (1, "gemini-interactions:apikey:", "interactions-api-key:+inter-1"),
        (2, "claude:apikey:6ddeb420187e", "b05dd67e136dc1c3"),
        (3, "codex:apikey:d75dce924b3f", "codex-api-key:https://api.openai.com/v1+sk-c"),
        (4, "xai:apikey:", "xai-api-key:https://x.example+xai-1"),
        (5, "openai-compatibility:openrouter:e61d0a8ce025", "9a016ae9f04dfb40"),
        (6, "openai-compatibility:local:7f6e7b6cfac1", "593005f1e1144acc"),
        (7, "vertex:apikey:e84ea10614fa", "d1ca533180eadbaf"),
    ],
)
def test_a_configuration_makes_these_credentials(place: int, credential_id: str, index: str) -> None:
    """An index is given as it is, or by its seed."""
    credential = synthesise(parse(KINDS)).live[place]
    assert credential.id.startswith(credential_id)
    assert len(credential.id.rsplit(":", 1)[1]) == 12
    assert credential.auth_index == (index_of_seed(index) if ":" in index else index)


@pytest.mark.parametrize(
    ("name", "kind", "provider", "index"),
    [
        ("claude-a@b.c.json", "claude", "other", "112c91ac5e00fe06"),
        ("codex-a@b.c.json", "codex", "other", "ddb76bcd811532c1"),
        ("claude-a@b.c.json", "Claude", "other", "112c91ac5e00fe06"),
        ("claude-a@b.c.json", "", "claude", "112c91ac5e00fe06"),
    ],
)
def test_the_index_of_a_file_is_made_of_its_type_and_path(name: str, kind: str, provider: str, index: str) -> None:
    path = Path("/srv/gateway/auths") / name
    assert index_of_file(path, {"type": kind}, provider) == index


def test_moving_the_folder_changes_indexes_of_files_and_renaming_a_provider_none() -> None:
    moved = index_of_file(Path("/elsewhere/claude-a@b.c.json"), {"type": "claude"}, "claude")
    assert moved != "112c91ac5e00fe06"
    renamed = synthesise(parse(KINDS.replace("OpenRouter", "Other"))).live[5]
    assert (renamed.auth_index, renamed.id.split(":")[1]) == ("9a016ae9f04dfb40", "other")


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        (" Open Router", "openai-compatible-open router"),
        ("openai-compatible-x", "openai-compatible-x"),
        ("openai-compatibility", "openai-compatibility"),
        ("", "openai-compatibility"),
    ],
)
def test_a_compat_name_becomes_a_provider(name: str, provider: str) -> None:
    assert compat_provider(name) == provider


def test_labels_name_the_kind_of_a_key_or_the_provider() -> None:
    assert [each.label for each in synthesise(parse(KINDS)).live] == [
        *("gemini-apikey", "interactions-apikey", "claude-apikey", "codex-apikey", "xai-apikey"),
        *("OpenRouter", "local", "vertex-apikey"),
    ]
