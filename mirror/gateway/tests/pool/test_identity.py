from pathlib import Path

import pytest

from gateway.internal.pool.identity import (
    StableIds,
    compat_kind,
    compat_provider,
    index_of_file,
    index_of_key,
    index_of_seed,
)


@pytest.mark.parametrize(
    ("kind", "parts", "expected"),
    [
        ("claude:apikey", ("sk-test", "https://api.example.com", "", "", ""), "claude:apikey:6ddeb420187e"),
        ("gemini:apikey", ("AIza-test", "", "", "", ""), "gemini:apikey:4ce350283fc8"),
        (
            compat_kind(" OpenRouter"),
            ("sk-or-1", "https://openrouter.ai/api/v1", ""),
            "openai-compatibility:openrouter:e61d0a8ce025",
        ),
        (
            "codex:apikey",
            ("sk-c", "https://api.openai.com/v1", "socks5://p:1", "team", "X-A\x001\x00x-b\x002\x00"),
            "codex:apikey:d75dce924b3f",
        ),
        (compat_kind("local"), ("http://127.0.0.1:8000/v1",), "openai-compatibility:local:7f6e7b6cfac1"),
        ("vertex:apikey", ("vk-1", "https://v.example/api", ""), "vertex:apikey:e84ea10614fa"),
    ],
)
def test_ids_are_those_of_the_stock_gateway(kind: str, parts: tuple[str, ...], expected: str) -> None:
    assert StableIds().make(kind, *parts) == (expected, expected.rsplit(":", 1)[1])


def test_equal_credentials_are_numbered_from_the_second_on() -> None:
    ids = StableIds()
    first, _ = ids.make("k", "a")
    assert [ids.make("k", " a ")[0], ids.make("k", "b")[0] == first, ids.make("k", "a")[0]] == [
        f"{first}-1",
        False,
        f"{first}-2",
    ]


@pytest.mark.parametrize(
    ("credential_id", "provider", "compat", "base", "key", "expected"),
    [
        ("x", "claude", "", "https://api.example.com", "sk-test", "b05dd67e136dc1c3"),
        ("x", "gemini", "", "", "AIza-test", "279aa92e96e01e2d"),
        (
            "x",
            "openai-compatible-openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            "sk-or-1",
            "9a016ae9f04dfb40",
        ),
        (
            "openai-compatibility:local:7f6e7b6cfac1",
            "openai-compatible-local",
            "local",
            "http://x",
            "",
            "593005f1e1144acc",
        ),
        ("vertex:apikey:e84ea10614fa", "vertex", "", "https://v.example/api", "vk-1", "d1ca533180eadbaf"),
    ],
)
def test_indexes_of_keys_are_those_of_the_stock_gateway(
    credential_id: str, provider: str, compat: str, *, base: str, key: str, expected: str
) -> None:
    assert index_of_key(credential_id, provider, compat_name=compat, base_url=base, api_key=key) == expected


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("claude-a@b.c.json", "claude", "4c1433b9bad2bd52"),
        ("claude-a@b.c.json", "Claude", "4c1433b9bad2bd52"),
        ("codex-a@b.c.json", "codex", "7ef88a49a46e8dbf"),
    ],
)
def test_indexes_of_files_are_those_of_the_stock_gateway(name: str, kind: str, expected: str) -> None:
    path = Path("/root/.cli-proxy-api") / name
    assert index_of_file(path, {"type": kind}, "other") == expected


def test_a_seed_gives_sixteen_digits() -> None:
    assert index_of_seed("claude-api-key:https://api.example.com+sk-test") == "b05dd67e136dc1c3"


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("Open Router", "openai-compatible-open router"),
        ("openai-compatible-x", "openai-compatible-x"),
        ("openai-compatibility", "openai-compatibility"),
        ("", "openai-compatibility"),
    ],
)
def test_a_compat_name_becomes_a_provider(name: str, provider: str) -> None:
    assert compat_provider(name) == provider
