import pytest

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.loading import parse
from gateway.internal.configuration.model import Configuration, Profile
from gateway.internal.configuration.sections import SECTIONS, Section


def test_an_empty_file_is_a_configuration_of_defaults() -> None:
    configuration = parse("# nothing yet\n")
    assert configuration == Configuration(entries={each: () for each in SECTIONS if each is not Section.COMPAT})
    assert configuration.management_profile is Profile.EXTENDED


def test_unknown_keys_are_kept() -> None:
    assert parse("future: {a: [1, x]}\nport: 1\n").document == {"future": {"a": [1, "x"]}, "port": 1}


def test_the_contract_keys_are_read() -> None:
    configuration = parse(
        "proxy-url: socks5://p:1\nremote-management: {allow-remote: yes, secret-key: s}\n"
        "plugins: {dir: there, configs: {one: {enabled: true, x: 1}}}\nmanagement-profile: stock\n"
    )
    assert configuration.proxy_url == "socks5://p:1"
    assert configuration.management.allow_remote
    assert configuration.management.secret_key == "s"
    assert configuration.plugins.dir == "there"
    assert configuration.plugins.configs == {"one": {"enabled": True, "x": 1}}
    assert configuration.management_profile is Profile.STOCK


@pytest.mark.parametrize("key", ["12e4567890", "0123456", "1_000", "0x1F", "1.50", "true", "1e400", "~a"])
def test_a_key_that_looks_like_something_else_stays_as_it_was_written(key: str) -> None:
    assert parse(f"claude-api-key:\n- api-key: {key}\n").entries[Section.CLAUDE][0].api_key == key


def test_entries_are_dropped_as_the_stock_gateway_drops_them_and_keep_their_places() -> None:
    configuration = parse(
        "codex-api-key: [{api-key: a}, {api-key: b, base-url: http://x}]\n"
        "gemini-api-key: [{api-key: a}, {api-key: a}, {api-key: c}, {}]\n"
        "vertex-api-key: [{base-url: http://x}, {api-key: v}]\n"
        "openai-compatibility: [{name: n}, {name: m, base-url: http://x, api-key-entries: [{api-key: ' '}]}]\n"
    )
    assert [entry.position for entry in configuration.entries[Section.CODEX]] == [1]
    assert [entry.position for entry in configuration.entries[Section.GEMINI]] == [0, 2]
    assert [entry.position for entry in configuration.entries[Section.VERTEX]] == [1]
    assert [(each.position, len(each.usable_keys)) for each in configuration.compat] == [(1, 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1\n", r"c\.yaml, line 2: this is not valid YAML"),
        ("port: many\n", r"c\.yaml, line 1: port must be a whole number; correct it"),
        ("port: 70000\n", r"line 1: port must be between 0 and 65535"),
        ("x: 1\ndebug: maybe\n", r"line 2: debug must be true or false"),
        (
            "claude-api-key:\n- api-key: a\n\n- weight: 1000001\n",
            r"line 4: claude-api-key\[1\]\.weight must be at most",
        ),
        ("api-keys: one\n", r"line 1: api-keys must be a list"),
        ("a: 1\nb: 2\na: 3\n", r"line 3: the same key stands twice"),
        ("- a\n", r"line 1: document must be a mapping"),
        ("a: 1\n---\nb: 2\n", r"line 2: there is more than one YAML document"),
        ("a: *b\n", r"line 1: .*b"),
        ("management-profile: odd\n", r"line 1: management-profile must be extended or stock"),
        (
            "plugins:\n  configs:\n    p: {enabled: perhaps}\n",
            r"line 3: plugins\.configs\.p\.enabled must be true or false",
        ),
        ("a: \x01\n", r"c\.yaml: the file holds characters YAML does not allow"),
    ],
)
def test_a_bad_file_is_reported_with_file_line_and_remedy(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        parse(text, "c.yaml")


def test_syntax_and_meaning_are_told_apart() -> None:
    with pytest.raises(ConfigurationError) as syntax:
        parse("a: [")
    with pytest.raises(ConfigurationError) as meaning:
        parse("port: 70000")
    with pytest.raises(ConfigurationError) as kind:
        parse("port: x")
    assert (syntax.value.syntax, kind.value.syntax, meaning.value.syntax) == (True, True, False)


def test_no_secret_is_in_the_repr_or_in_an_error() -> None:
    configuration = parse(
        "api-keys: [secret-1]\nremote-management: {secret-key: secret-2}\nclaude-api-key: [{api-key: secret-3}]\n"
        "openai-compatibility: [{name: n, base-url: http://x, api-key-entries: [{api-key: secret-4}]}]\n"
    )
    assert "secret" not in repr(configuration) + repr(configuration.entries) + repr(configuration.compat)
    with pytest.raises(ConfigurationError) as caught:
        parse("claude-api-key: [{api-key: secret-5, api-key: secret-6}]")
    assert "secret" not in str(caught.value)
