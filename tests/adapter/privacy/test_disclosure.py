"""Keys are found in every encoding an upstream may repeat them in, and ordinary texts are not taken for keys."""

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapter.privacy.disclosure import Disclosure, PoolKeys

CLAUDE, OPENAI = "sk-ant-api03-", "sk-proj-"
KEY = f"{CLAUDE}Zq8Lm2Vx7Rw4Tn9Kc3Jd6Hs1Gf5By0"
OTHER = f"{OPENAI}Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8"
ENCODINGS: dict[str, Callable[[str], str]] = {
    "clear": str,
    "percent": lambda key: "".join(f"%{ord(mark):02x}" for mark in key),
    "percent twice": lambda key: quote("".join(f"%{ord(mark):02x}" for mark in key)),
    "unicode escapes": lambda key: "".join(f"\\u{ord(mark):04x}" for mark in key),
    "escapes in JSON": lambda key: json.dumps("".join(f"\\x{ord(mark):02x}" for mark in key)),
    "entities": lambda key: "".join(f"&#{ord(mark)};" for mark in key),
    "hexadecimal entities": lambda key: "".join(f"&#x{ord(mark):x};" for mark in key),
    "escaped entities": lambda key: html.escape("".join(f"&#{ord(mark)};" for mark in key)),
    "zero width": "\u200b".join,
    "spaced": " ".join,
    "spread over lines": "\n\t".join,
    "soft hyphens": "\u00ad".join,
    "full width": lambda key: "".join(chr(ord(mark) + 0xFEE0) for mark in key),
    "UTF-16": lambda key: key.encode("utf-16-le").decode("utf-8"),
    "upper case": str.upper,
    "lower case": str.lower,
    "reversed": lambda key: key[::-1],
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of a pair": lambda key: base64.b64encode(f"user:{key}".encode()).decode(),
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(f"?{key}~~".encode()).decode(),
    "base64 in lines": lambda key: "\n".join(
        base64.b64encode(key.encode()).decode()[at : at + 16] for at in (0, 16, 32)
    ),
    "base64 of UTF-16": lambda key: base64.b64encode(key.encode("utf-16-le")).decode(),
    "hexadecimal": lambda key: key.encode().hex(),
    "hexadecimal with colons": lambda key: key.encode().hex(":"),
    "all but the last": lambda key: key[:-1],
    "the last twelve": lambda key: key[-12:],
    "twelve beyond the prefix": lambda key: key[13:25],
    "reversed base64": lambda key: base64.b64encode(key.encode()).decode()[::-1],
}
OF_ONE_KEY = {"base64 in lines", "twelve beyond the prefix"}
DETECTS = Disclosure([KEY], PoolKeys([OTHER, KEY]))


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=list(ENCODINGS))
def test_the_own_key_is_found_in_every_encoding(encoding: Callable[[str], str]) -> None:
    assert DETECTS.within(f'{{"error": "invalid key {encoding(KEY)}, sorry"}}')


@pytest.mark.parametrize("encoding", ["clear", "percent", "entities", "spaced", "base64", "hexadecimal", "reversed"])
def test_another_key_of_the_pool_is_found_as_a_whole(encoding: str) -> None:
    assert DETECTS.within(f"invalid: {ENCODINGS[encoding](OTHER)}.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "invalid x-api-key",
        '{"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}',
        "Incorrect API key provided: sk-ant-api03-. You can find your API key at https://platform.example.",
        f"The key ends in {KEY[-4:]} and begins with {KEY[:15]}.",
        f"Not found: {OTHER[-11:]}",
        "%%%\\u\\x&#;&#x110000000;" * 20,
    ],
)
def test_ordinary_texts_are_shown(text: str) -> None:
    assert not DETECTS.within(text)


RANDOM = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", min_size=24, max_size=80)
CONTEXT = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="\\%&"), max_size=60)


@example("000000000000000000000000", "", "004000400240", "reversed base64")
@given(
    RANDOM,
    CONTEXT,
    CONTEXT,
    st.sampled_from(sorted(ENCODINGS.keys() - OF_ONE_KEY)),
)
def test_any_key_is_found_in_any_encoding_wherever_it_stands(key: str, before: str, after: str, name: str) -> None:
    text = f"{before} {ENCODINGS[name](key)} {after}"
    assert Disclosure([key], PoolKeys()).within(text)


@given(RANDOM, st.integers(0, 80), CONTEXT)
def test_any_twelve_characters_are_found(key: str, start: int, after: str) -> None:
    start = min(start, len(key) - 12)
    assert Disclosure([key], PoolKeys()).within(f"{after} {key[start : start + 12]}")


@given(st.text(max_size=2_000))
def test_no_text_breaks_the_detection(text: str) -> None:
    DETECTS.within(text)


def test_a_large_pool_is_searched_in_one_pass() -> None:
    pool = PoolKeys(f"sk-{number:032x}" for number in range(10_000))
    assert Disclosure([], pool).within(f"no such key: sk-{9_999:032x}")
    assert not Disclosure([], pool).within("no such key: sk-" + "f" * 32)
