import copy
import json
import pickle
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapter.privacy.secret import HIDDEN, Redactor, Secret, mask
from tests.adapter.key_forms import FORMS

KEYS = st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=80)
ANY = st.text(max_size=200)


@given(key=st.text(max_size=8))
def test_a_key_of_eight_characters_is_never_shown(key: str) -> None:
    assert mask(key) == HIDDEN


@given(key=KEYS)
def test_never_more_than_four_characters_of_a_key_are_shown(key: str) -> None:
    shown = mask(key).removeprefix(HIDDEN)
    assert len(shown) <= 4
    assert key.endswith(shown)


def test_a_mask_has_the_same_length_for_every_key() -> None:
    assert {len(mask("k" * length)) for length in range(9, 200)} == {len(HIDDEN) + 4}


@given(key=st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=9, max_size=80))
def test_a_secret_prints_masked_wherever_python_prints(key: str) -> None:
    secret = Secret(key)
    assume(key not in "Secret()" + HIDDEN)
    printed = [str(secret), repr(secret), f"{secret}", f"{secret!r:>40}", f"{secret:>20}", str(ValueError(secret))]
    assert not [text for text in printed if key in text]
    assert key not in repr([secret, {"key": secret}])


def test_a_secret_gives_its_text_only_when_asked() -> None:
    assert Secret("sk-1234567890").reveal() == "sk-1234567890"


def test_a_secret_is_never_pickled_and_a_copy_is_itself() -> None:
    secret = Secret("sk-1234567890")
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(secret)
    assert copy.copy(secret) is secret
    assert copy.deepcopy({"k": secret})["k"] is secret


def test_secrets_are_compared_by_their_text_and_never_with_a_text() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a"), Secret("\ud800")}) == 2
    assert not Secret("")
    assert Secret(" ")


def test_a_secret_has_no_other_attribute_to_look_into() -> None:
    assert not hasattr(Secret("sk-1234567890"), "__dict__")


@given(before=ANY, after=ANY, keys=st.lists(KEYS, min_size=1, max_size=4), pick=st.integers(0, 3))
def test_no_known_secret_survives_redaction(before: str, after: str, keys: list[str], pick: int) -> None:
    key = keys[pick % len(keys)]
    redacted = Redactor([Secret(secret) for secret in keys]).redact(f"{before}{key}{after}")
    assert not [secret for secret in keys if secret in redacted]


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("key", ["sk-ant-Zq8Lm2Vx7", 'a "key" & of/words', "k\u00e9y of \u4e2d letters"])
def test_no_known_secret_survives_in_any_form(key: str, form: Callable[[str], str]) -> None:
    redacted = Redactor([key]).redact(f"x {form(key)} y")
    assert HIDDEN in redacted
    assert form(key)[4:-4] not in redacted


@given(key=st.text(min_size=1, max_size=40).filter(lambda text: not set(text) & set(HIDDEN)))
def test_no_known_secret_survives_in_percent_encoded_or_json_form(key: str) -> None:
    assume(key.strip() and not key.isalnum())
    encodable = key.encode("utf-8", "replace").decode()
    redactor = Redactor([key])
    for form in (quote(encodable, safe=""), json.dumps(key)[1:-1]):
        assert form not in redactor.redact(f"x {form} y")


@given(text=ANY, keys=st.lists(KEYS, max_size=3))
def test_redacting_twice_changes_nothing_more(text: str, keys: list[str]) -> None:
    redactor = Redactor(keys)
    once = redactor.redact(text)
    assert redactor.redact(once) == once


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Incorrect API key provided: sk-proj-abcdefgh12345.", "sk-proj-abcdefgh12345"),
        ("key AIzaSyA-1234567890abcdefg is not valid", "AIzaSyA-1234567890abcdefg"),
        ("Authorization: Bearer abc.def-123", "abc.def-123"),
        ("authorization=Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        ('{"Authorization": "a whole secret value"}', "a whole secret value"),
        ("sent with Bearer opaque-token-1", "opaque-token-1"),
        ("x-api-key: short1", "short1"),
        ('{"api_key":"short1"}', "short1"),
        ("https://example.com/v1?key=short1&x=2", "short1"),
        ("https://user:pass@example.com/v1", "user:pass"),
        ("socks5://user:p@ss@127.0.0.1:1080", "user:p@ss"),
        ("token eyJhbGciOi.eyJzdWIiOi.c2ln here", "eyJhbGciOi.eyJzdWIiOi.c2ln"),
        ("hash 0123456789abcdef0123456789abcdef01234567 end", "0123456789abcdef0123456789abcdef01234567"),
    ],
)
def test_what_looks_like_a_secret_is_redacted_without_being_known(text: str, secret: str) -> None:
    redacted = Redactor().redact(text)
    assert secret not in redacted
    assert HIDDEN in redacted


@pytest.mark.parametrize(
    "text",
    [
        "The model `gpt-4o-mini` does not exist",
        '{"error":{"message":"rate limit reached","type":"tokens","code":429}}',
        "https://api.example.com/v1/models?limit=20",
        "request id 0af1c2d3",
        "mail a@b.c or see https://example.com/@name",
    ],
)
def test_what_explains_a_failure_is_left_as_it_is(text: str) -> None:
    assert Redactor().redact(text) == text


def test_known_only_leaves_alone_what_merely_looks_like_a_key() -> None:
    redactor = Redactor(["my-own-key"])
    assert redactor.known_only("my-own-key sk-abcdefgh12345") == f"{HIDDEN} sk-abcdefgh12345"


def test_of_two_secrets_the_longer_is_found_first() -> None:
    assert Redactor(["abcd", "abcd-efgh"]).redact("abcd-efgh") == HIDDEN


FRAGMENTS = st.one_of(
    st.sampled_from(
        [
            "Bearer ",
            "basic ",
            "Authorization: ",
            "api_key=",
            "X-Api-Key: ",
            "?key=",
            "&TOKEN=",
            "password",
            "https://",
            "user:pass@",
            "sk-",
            "gsk_",
            "AIza",
            "ya29.",
            "AKIA",
            "eyJ",
            ".",
            " ",
            "-",
            "0123456789012345678901234567890123456789",
            "abcdefghabcdefghabcdefghabcdefghabcdefgh",
        ]
    ),
    st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=12),
)


@given(fragments=st.lists(FRAGMENTS, max_size=12))
def test_what_cannot_match_is_passed_over_without_changing_what_is_redacted(fragments: list[str]) -> None:
    # A letter beyond ASCII has every pattern tried, whatever the marks say.
    text, redactor = "".join(fragments), Redactor()
    assert redactor.redact(f"\u00e9 {text}") == f"\u00e9 {redactor.redact(text)}"


def test_letters_that_only_look_like_others_in_another_case_hide_no_key() -> None:
    assert "hunter-2-hunter" not in Redactor().redact("pa\u017fsword=hunter-2-hunter")


@given(texts=st.lists(ANY, max_size=5))
def test_a_text_is_redacted_alike_the_second_time(texts: list[str]) -> None:
    redactor = Redactor(["my-own-key"])
    assert [redactor.redact(text) for text in (*texts, "my-own-key")] == [
        redactor.redact(text) for text in (*texts, "my-own-key")
    ]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "part", ["a.", "a+", "http://", "eyJaaaa-", "bearer ", "authorization ", "sk-", "1a-", "://a", "key="]
)
def test_a_text_made_to_be_slow_to_look_through_is_redacted_all_the_same(part: str) -> None:
    assert Redactor().redact(part * (300_000 // len(part)) + "@")


@pytest.mark.parametrize("scheme", ["https", "a" * 300, "git+ssh"])
def test_the_user_information_of_an_address_is_hidden_whatever_its_scheme(scheme: str) -> None:
    assert Redactor().redact(f"at {scheme}://someone:pass@word@host/path") == f"at {scheme}://{HIDDEN}@host/path"
