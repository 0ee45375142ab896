import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.requests.addresses import (
    endpoint_address,
    is_at_home,
    models_address,
    shown_address,
    usable_base,
)
from extension.inspection.settings import ModelsPath


@pytest.mark.parametrize(
    ("given_address", "base"),
    [
        ("https://a.example/", "https://a.example"),
        ("https://a.example/v1//", "https://a.example/v1"),
        (" http://127.0.0.1:9/x ", "http://127.0.0.1:9/x"),
        (None, None),
        ("", None),
        ("  ", None),
        ("/", None),
        ("a.example/v1", None),
        ("ftp://a.example", None),
        ("https://", None),
        ("https://[::1", None),
    ],
)
def test_a_base_address_loses_its_trailing_slashes_or_is_not_usable(
    given_address: str | None, base: str | None
) -> None:
    assert usable_base(given_address) == base


@pytest.mark.parametrize(
    ("base", "endpoint", "address"),
    [
        ("http://h", ProbeEndpoint.MODELS, "http://h/v1/models"),
        ("http://h/v1", ProbeEndpoint.MODELS, "http://h/v1/models"),
        ("http://h/V1", ProbeEndpoint.MODELS, "http://h/V1/models"),
        ("http://h/api/v4", ProbeEndpoint.MODELS, "http://h/api/v4/models"),
        ("http://h/v1beta", ProbeEndpoint.NATIVE_MODELS, "http://h/v1beta/models"),
        ("http://h", ProbeEndpoint.NATIVE_MODELS, "http://h/v1beta/models"),
        ("http://h/v1x/y", ProbeEndpoint.MODELS, "http://h/v1x/y/v1/models"),
        ("http://h/dev1", ProbeEndpoint.MODELS, "http://h/dev1/v1/models"),
        ("http://h", ProbeEndpoint.CHAT, "http://h/v1/chat/completions"),
        ("http://h/v1", ProbeEndpoint.CHAT, "http://h/v1/chat/completions"),
        ("http://h", ProbeEndpoint.MESSAGES, "http://h/v1/messages"),
        ("http://h/v1", ProbeEndpoint.MESSAGES, "http://h/v1/messages"),
        ("http://h", ProbeEndpoint.GENERATE, "http://h/v1beta/models/m%2Fx:generateContent"),
        ("http://h/v1", ProbeEndpoint.GENERATE, "http://h/v1/models/m%2Fx:generateContent"),
    ],
)
def test_an_endpoint_is_appended_with_a_version_unless_the_base_names_one(
    base: str, endpoint: ProbeEndpoint, address: str
) -> None:
    assert endpoint_address(base, endpoint, model="models/m/x") == address


@pytest.mark.parametrize(
    ("base", "path", "address"),
    [
        ("http://h", "auto", "http://h/v1/models"),
        ("http://h/v1", "auto", "http://h/v1/models"),
        ("http://h", "/models", "http://h/models"),
        ("http://h/v1", "/models", "http://h/v1/models"),
        ("http://h", "/v1/models", "http://h/v1/models"),
        ("http://h/v1", "/v1/models", "http://h/v1/models"),
        ("http://h/v4", "/v1/models", "http://h/v4/v1/models"),
        ("http://h/v1beta/openai", "/models", "http://h/v1beta/openai/models"),
    ],
)
def test_the_models_path_can_be_chosen(base: str, path: str, address: str) -> None:
    assert models_address(base, ModelsPath(path)) == address


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("https://googleapis.com", True),
        ("https://generativelanguage.GoogleAPIs.com/v1beta", True),
        ("https://notgoogleapis.com", False),
        ("https://googleapis.com.evil.example", False),
    ],
)
def test_a_host_is_at_home_at_the_domain_or_below_it(address: str, home: bool) -> None:
    assert is_at_home(address, "googleapis.com") is home


def test_user_information_and_query_of_an_address_are_not_shown() -> None:
    assert shown_address("https://me:pass@h.example:8443/v1?key=abc#part") == "https://h.example:8443/v1"


@given(st.text())
def test_any_text_is_usable_with_a_host_or_not_usable(text: str) -> None:
    base = usable_base(text)

    assert base is None or base.lower().startswith(("http://", "https://"))
