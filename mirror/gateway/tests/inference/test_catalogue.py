"""Which credential serves which model."""

import pytest

from gateway.internal.configuration.loading import parse
from gateway.internal.inference.catalogue import Catalogue, matches
from gateway.internal.inference.families import FAMILIES, Action
from gateway.internal.pool.folder import AuthFile, synthesise_file
from gateway.internal.pool.keys import synthesise
from gateway.internal.pool.snapshot import PoolSnapshot
from tests.inference.files import WHEN, credential_file


def catalogue(text: str, *files: AuthFile) -> Catalogue:
    configuration = parse(text)
    made = [synthesise_file(file, None, WHEN) for file in files]
    credentials = (*synthesise(configuration).live, *(one for one in made if one))
    return Catalogue(configuration, PoolSnapshot(credentials))


def who(made: Catalogue, model: str, action: Action = Action.MESSAGES) -> list[list[str]]:
    """Return the keys or files that serve a model, by priority."""
    return [[one.credential.api_key or one.credential.id for one in tier] for tier in made.offers(action, model)]


def test_a_key_without_models_serves_what_its_family_makes() -> None:
    made = catalogue("claude-api-key:\n  - api-key: k\n")
    assert who(made, "claude-anything") == [["k"]]
    assert who(made, "gpt-5") == []
    assert who(made, "claude-anything", Action.CHAT) == []


def test_a_key_whose_dialect_is_not_served_tells_its_models_and_serves_none() -> None:
    text = "interactions-api-key:\n  - api-key: k\n"
    made = catalogue(text)
    (credential,) = synthesise(parse(text)).live
    assert "gemini-2.5-pro" in {model.id for model in made.models_of(credential)}
    assert made.models == ()
    assert not made.serves("gemini-2.5-pro")


def test_a_model_known_of_the_family_is_served_by_those_without_a_list_too() -> None:
    known = next(iter(FAMILIES["claude"].models))
    made = catalogue(f"claude-api-key:\n  - api-key: a\n    models: [{{name: {known}}}]\n  - api-key: b\n")
    assert sorted(who(made, known)[0]) == ["a", "b"]


def test_a_key_with_models_serves_only_those_by_their_aliases() -> None:
    made = catalogue(
        "claude-api-key:\n  - api-key: k\n    models: [{name: claude-real, alias: mine}, {name: claude-b}]\n"
    )
    assert who(made, "mine") == [["k"]]
    assert who(made, "claude-b") == [["k"]]
    assert who(made, "claude-real") == []
    assert made.offers(Action.MESSAGES, "mine")[0][0].upstream == "claude-real"


def test_a_compat_provider_without_models_serves_nothing() -> None:
    made = catalogue(
        "openai-compatibility:\n  - name: a\n    base-url: http://a\n    api-key-entries: [{api-key: k}]\n"
    )
    assert made.models == ()
    assert who(made, "gpt-5", Action.CHAT) == []


def test_credentials_come_by_priority_and_then_by_id() -> None:
    entry = "  - api-key: {0}\n    priority: {1}\n"
    text = "claude-api-key:\n" + "".join(entry.format(*pair) for pair in (("a", 0), ("b", 5), ("c", 5), ("d", -1)))
    tiers = catalogue(text).offers(Action.MESSAGES, "claude-x")
    assert [[one.credential.priority for one in tier] for tier in tiers] == [[5, 5], [0], [-1]]
    ids = [one.credential.id for one in tiers[0]]
    assert ids == sorted(ids)


def test_a_prefix_selects_its_credentials_and_is_not_sent_on() -> None:
    text = "claude-api-key:\n  - api-key: a\n    prefix: team\n  - api-key: b\n"
    made = catalogue(text)
    assert sorted(who(made, "claude-x")[0]) == ["a", "b"]
    assert who(made, "team/claude-x") == [["a"]]
    assert who(made, "other/claude-x") == []
    assert made.offers(Action.MESSAGES, "team/claude-x")[0][0].upstream == "claude-x"


def test_a_forced_prefix_hides_the_bare_name() -> None:
    text = "force-model-prefix: true\nclaude-api-key:\n  - api-key: a\n    prefix: team\n    models: [{name: m}]\n"
    made = catalogue(text + "  - api-key: b\n    prefix: team\n")
    assert who(made, "claude-x") == []
    assert who(made, "m") == []
    assert who(made, "team/m") == [["a"]]
    assert all(one.id.startswith("team/") for one in made.models)


@pytest.mark.parametrize(
    ("pattern", "name", "matched"),
    [
        ("*", "anything", True),
        ("opus-*", "OPUS-4", True),
        ("*-opus-*", "claude-opus-4", True),
        ("opus", "claude-opus", False),
        ("o?us", "opus", False),
        ("[a]", "a", False),
        ("[a]*", "[a]b", True),
    ],
)
def test_in_a_pattern_only_the_star_is_special(pattern: str, name: str, matched: bool) -> None:
    assert matches(pattern, name) is matched


def test_exclusion_goes_by_the_name_clients_use() -> None:
    text = "claude-api-key:\n  - api-key: k\n    excluded-models: [mine]\n"
    text += "    models: [{name: real, alias: mine}, {name: b}]\n"
    assert [one.id for one in catalogue(text).models] == ["b"]


def test_patterns_for_credential_files_do_not_concern_keys() -> None:
    text = "oauth-excluded-models:\n  Claude: [claude-a]\nclaude-api-key:\n  - api-key: k\n"
    made = catalogue(text, credential_file("claude", excluded_models=["claude-b"]))
    assert who(made, "claude-a") == [["k"]]
    assert who(made, "claude-b") == [["k"]]
    assert sorted(who(made, "claude-c")[0]) == ["claude.json", "k"]


def test_an_alias_for_credential_files_takes_the_models_place_unless_it_forks() -> None:
    aliases = "    - {name: claude-a, alias: quick}\n    - {name: claude-b, alias: slow, fork: true}\n"
    text = f"oauth-model-alias:\n  claude:\n{aliases}"
    made = catalogue(text, credential_file("claude"))
    assert who(made, "quick") == [["claude.json"]]
    assert who(made, "claude-a") == []
    assert who(made, "slow") == who(made, "claude-b") == [["claude.json"]]
    assert made.offers(Action.MESSAGES, "quick")[0][0].upstream == "claude-a"


def test_a_disabled_credential_and_an_unknown_kind_have_no_models() -> None:
    made = catalogue("", credential_file("claude", disabled=True), credential_file("other"), credential_file("vertex"))
    assert made.models == ()
    assert who(made, "claude-a") == []
