import json
from pathlib import Path

from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.sections import Section
from gateway.internal.pool.keys import synthesise

RECORDED = Path(__file__).parent.parent / "recorded"


def test_every_id_is_the_one_a_stock_gateway_gave() -> None:
    keys = synthesise(parse((RECORDED / "pool.yaml").read_text()))
    ids = {credential.api_key: credential.id for credential in (*keys.live, *keys.dormant)}
    assert ids == json.loads((RECORDED / "ids.json").read_text())


def test_keys_of_a_switched_off_provider_are_dormant_and_all_others_live() -> None:
    keys = synthesise(parse((RECORDED / "pool.yaml").read_text()))
    assert [(each.compat_name, each.disabled) for each in keys.dormant] == [("dark", True)]
    assert len(keys.live) == 10
    assert [each.api_key for each in keys.live if each.disabled] == ["s403-claude-2"]


def test_attributes_are_those_of_the_stock_gateway() -> None:
    keys = synthesise(
        parse(
            "claude-api-key:\n- {api-key: k, base-url: http://x, priority: 2, weight: 0, headers: {a: b},"
            " excluded-models: [z, a]}\n"
            "openai-compatibility: [{name: My, base-url: http://y, api-key-entries: [{api-key: q, weight: 3}]}]\n"
        )
    )
    claude, compat = keys.live
    short = claude.id.rsplit(":", 1)[1]
    assert claude.attributes == {
        "source": f"config:claude[{short}]",
        "config_index": "0",
        "auth_kind": "apikey",
        "api_key": "k",
        "base_url": "http://x",
        "priority": "2",
        "weight": "0",
        "header:a": "b",
        "excluded_models": "a,z",
    }
    assert (claude.label, claude.section, claude.position) == ("claude-apikey", Section.CLAUDE, 0)
    assert (compat.label, compat.provider, compat.key_position) == ("My", "openai-compatible-my", 0)
    assert compat.attributes["source"].startswith("config:my[")
    assert "auth_kind" not in compat.attributes


def test_vertex_comes_last_and_its_id_ignores_prefix_and_headers() -> None:
    text = (
        "vertex-api-key: [{{api-key: vk-1, base-url: 'https://v.example/api'{}}}]\n"
        "openai-compatibility: [{{name: n, base-url: b}}]"
    )
    plain, fancy = (synthesise(parse(text.format(extra))).live for extra in ("", ", prefix: p, headers: {a: b}"))
    assert plain[-1].id == fancy[-1].id == "vertex:apikey:e84ea10614fa"


def test_a_revision_changes_with_any_field_of_the_entry() -> None:
    (one,) = synthesise(parse("claude-api-key: [{api-key: k, future: 1}]")).live
    (two,) = synthesise(parse("claude-api-key: [{api-key: k, future: 2}]")).live
    assert one.revision != two.revision


def test_a_switched_off_provider_takes_no_number_from_a_live_one() -> None:
    text = (
        "openai-compatibility:\n- {name: n, base-url: b, disabled: true, api-key-entries: [{api-key: k}]}\n"
        "- {name: n, base-url: b, api-key-entries: [{api-key: k}]}\n"
    )
    (live,) = synthesise(parse(text)).live
    assert "-" not in live.id.rsplit(":", 1)[1]
