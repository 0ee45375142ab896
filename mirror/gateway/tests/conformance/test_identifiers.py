"""The ids of credentials and their short indexes, with the vectors of the stock gateway."""

from pathlib import Path

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.pool.identity import (
    StableIds,
    compat_kind,
    compat_provider,
    index_of_file,
    index_of_key,
    index_of_seed,
)
from gateway.internal.pool.keys import synthesise
from tests.conformance.pools import KINDS
from tests.conformance.rules import row, rule

BASE = "https://api.example.com"
OPEN_ROUTER = "https://openrouter.ai/api/v1"
HEADERS = "X-A\x001\x00x-b\x002\x00"


@pytest.mark.parametrize(
    ("kind", "parts", "expected"),
    [
        row("id.claude id.hash", "claude:apikey", ("sk-test", BASE, "", "", ""), "claude:apikey:6ddeb420187e"),
        row("id.hash", "claude:apikey", (" sk-test\t", f"{BASE} ", "", " ", ""), "claude:apikey:6ddeb420187e"),
        row("id.gemini", "gemini:apikey", ("AIza-test", "", "", "", ""), "gemini:apikey:4ce350283fc8"),
        row(
            "id.compat",
            compat_kind(" OpenRouter"),
            ("sk-or-1", OPEN_ROUTER, ""),
            "openai-compatibility:openrouter:e61d0a8ce025",
        ),
        row(
            "id.codex id.headers",
            "codex:apikey",
            ("sk-c", "https://api.openai.com/v1", "socks5://p:1", "team", HEADERS),
            "codex:apikey:d75dce924b3f",
        ),
        row(
            "id.keyless",
            compat_kind("local"),
            ("http://127.0.0.1:8000/v1",),
            "openai-compatibility:local:7f6e7b6cfac1",
        ),
        row("id.vertex", "vertex:apikey", ("vk-1", "https://v.example/api", ""), "vertex:apikey:e84ea10614fa"),
    ],
)
def test_ids_are_those_of_the_stock_gateway(kind: str, parts: tuple[str, ...], expected: str) -> None:
    assert StableIds().make(kind, *parts) == (expected, expected.rsplit(":", 1)[1])


@rule("id.repeated", "id.one-run")
def test_equal_credentials_are_numbered_from_the_second_on() -> None:
    ids = StableIds()
    first, _ = ids.make("k", "a")
    assert [ids.make("k", " a ")[0], ids.make("k", "b")[0] == first, ids.make("k", "a")[0]] == [
        f"{first}-1",
        False,
        f"{first}-2",
    ]


@pytest.mark.parametrize(
    ("place", "credential_id", "index"),
    [
        row("id.gemini index.key", 0, "gemini:apikey:4ce350283fc8", "279aa92e96e01e2d"),
        row("id.interactions", 1, "gemini-interactions:apikey:", "interactions-api-key:+inter-1"),
        row("id.claude index.key", 2, "claude:apikey:6ddeb420187e", "b05dd67e136dc1c3"),
        row("id.codex", 3, "codex:apikey:d75dce924b3f", "codex-api-key:https://api.openai.com/v1+sk-c"),
        row("id.xai", 4, "xai:apikey:", "xai-api-key:https://x.example+xai-1"),
        row("id.compat index.key", 5, "openai-compatibility:openrouter:e61d0a8ce025", "9a016ae9f04dfb40"),
        row("id.keyless index.id", 6, "openai-compatibility:local:7f6e7b6cfac1", "593005f1e1144acc"),
        row("id.vertex index.id", 7, "vertex:apikey:e84ea10614fa", "d1ca533180eadbaf"),
    ],
)
def test_a_configuration_makes_these_credentials(place: int, credential_id: str, index: str) -> None:
    """An index is given as it is, or by its seed."""
    credential = synthesise(parse(KINDS)).live[place]
    assert credential.id.startswith(credential_id)
    assert len(credential.id.rsplit(":", 1)[1]) == 12
    assert credential.auth_index == (index_of_seed(index) if ":" in index else index)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        row("id.gemini", "gemini-api-key: [{prefix: p}, {base-url: http://a}]", 1),
        row("id.interactions", "interactions-api-key: [{prefix: p}, {api-key: a}]", 1),
        row("id.claude", "claude-api-key: [{prefix: p}, {api-key: a}]", 1),
        row("id.codex", "codex-api-key: [{api-key: a}, {base-url: http://a}]", 1),
        row("id.xai", "xai-api-key: [{api-key: a}, {base-url: http://a}]", 1),
        row("id.compat", "openai-compatibility: [{name: a, base-url: http://a, disabled: true}]", 0),
        row("id.vertex", "vertex-api-key: [{base-url: http://a}, {api-key: a}]", 1),
    ],
)
def test_an_entry_that_says_too_little_is_no_credential(text: str, count: int) -> None:
    assert len(synthesise(parse(text)).live) == count


@pytest.mark.parametrize(
    ("credential_id", "provider", "compat", "base", "key", "seed"),
    [
        row("index.prefixes", "x", "claude", "", BASE, "sk-test", f"claude-api-key:{BASE}+sk-test"),
        row("index.prefixes", "x", "gemini", "", "", "AIza-test", "gemini-api-key:+AIza-test"),
        row("index.prefixes", "x", "gemini-interactions", "", "", "k", "interactions-api-key:+k"),
        row("index.prefixes", "x", "codex", "", "b", "k", "codex-api-key:b+k"),
        row("index.prefixes", "x", "xai", "", "b", "k", "xai-api-key:b+k"),
        row("index.prefixes", "x", "claude", "named", "b", "k", "openai-compatibility:b+k"),
        row("index.prefixes", "x", "openai-compatibility", "", "b", "k", "openai-compatibility:b+k"),
        row("index.id", "vertex:apikey:e84ea10614fa", "vertex", "", "b", "vk-1", "id:vertex:apikey:e84ea10614fa"),
        row("index.id", "claude:apikey:1", "claude", "", "b", "", "id:claude:apikey:1"),
    ],
)
def test_the_seed_of_a_key_is_its_section_address_and_key_or_its_id(
    credential_id: str, provider: str, compat: str, *, base: str, key: str, seed: str
) -> None:
    index = index_of_key(credential_id, provider, compat_name=compat, base_url=base, api_key=key)
    assert index == index_of_seed(seed)


@pytest.mark.parametrize(
    ("seed", "index"),
    [
        row("index.digits", f"claude-api-key:{BASE}+sk-test", "b05dd67e136dc1c3"),
        row("index.digits", "gemini-api-key:+AIza-test", "279aa92e96e01e2d"),
        row("index.digits", f"openai-compatibility:{OPEN_ROUTER}+sk-or-1", "9a016ae9f04dfb40"),
        row("index.digits", "id:openai-compatibility:local:7f6e7b6cfac1", "593005f1e1144acc"),
        row("index.digits", "id:vertex:apikey:e84ea10614fa", "d1ca533180eadbaf"),
        row("index.digits", "claude:/srv/gateway/auths/claude-a@b.c.json", "112c91ac5e00fe06"),
        row("index.digits", "codex:/srv/gateway/auths/codex-a@b.c.json", "ddb76bcd811532c1"),
    ],
)
def test_a_seed_gives_its_index(seed: str, index: str) -> None:
    assert index_of_seed(seed) == index


@pytest.mark.parametrize(
    ("name", "kind", "provider", "index"),
    [
        row("index.path id.file", "claude-a@b.c.json", "claude", "other", "112c91ac5e00fe06"),
        row("index.path", "codex-a@b.c.json", "codex", "other", "ddb76bcd811532c1"),
        row("index.type-wins", "claude-a@b.c.json", "Claude", "other", "112c91ac5e00fe06"),
        row("index.type-wins", "claude-a@b.c.json", "", "claude", "112c91ac5e00fe06"),
    ],
)
def test_the_index_of_a_file_is_made_of_its_type_and_path(name: str, kind: str, provider: str, index: str) -> None:
    path = Path("/srv/gateway/auths") / name
    assert index_of_file(path, {"type": kind}, provider) == index


@rule("index.moved")
def test_moving_the_folder_changes_indexes_of_files_and_renaming_a_provider_none() -> None:
    moved = index_of_file(Path("/elsewhere/claude-a@b.c.json"), {"type": "claude"}, "claude")
    assert moved != "112c91ac5e00fe06"
    renamed = synthesise(parse(KINDS.replace("OpenRouter", "Other"))).live[5]
    assert (renamed.auth_index, renamed.id.split(":")[1]) == ("9a016ae9f04dfb40", "other")


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        row("id.provider", " Open Router", "openai-compatible-open router"),
        row("id.provider", "openai-compatible-x", "openai-compatible-x"),
        row("id.provider", "openai-compatibility", "openai-compatibility"),
        row("id.provider", "", "openai-compatibility"),
    ],
)
def test_a_compat_name_becomes_a_provider(name: str, provider: str) -> None:
    assert compat_provider(name) == provider


@rule("attribute.labels")
def test_labels_name_the_kind_of_a_key_or_the_provider() -> None:
    assert [each.label for each in synthesise(parse(KINDS)).live] == [
        *("gemini-apikey", "interactions-apikey", "claude-apikey", "codex-apikey", "xai-apikey"),
        *("OpenRouter", "local", "vertex-apikey"),
    ]
