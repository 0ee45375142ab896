import pytest

from adapter.port import Section
from extension.inspection.accounts.families import FAMILIES, LABELS, CredentialPlace, Family, ProbeEndpoint, family_of
from tests.extension.inspection.samples import file_account, key_account

MODELS, CHAT, MESSAGES = ProbeEndpoint.MODELS, ProbeEndpoint.CHAT, ProbeEndpoint.MESSAGES
NATIVE, GENERATE = ProbeEndpoint.NATIVE_MODELS, ProbeEndpoint.GENERATE

TABLE = [
    ("compat", "OpenAI-compatible", ("openai-compatibility",), MODELS, CHAT, CredentialPlace.BEARER),
    (
        "vendor-a-apikey",
        "Gemini, AI Studio",
        ("gemini-api-key", "interactions-api-key"),
        NATIVE,
        GENERATE,
        CredentialPlace.BEARER,
    ),
    ("vendor-b-apikey", "Claude", ("claude-api-key",), MESSAGES, None, CredentialPlace.API_KEY_HEADER),
    ("vendor-c-apikey", "Codex", ("codex-api-key", "xai-api-key"), MODELS, CHAT, CredentialPlace.BEARER),
    ("vendor-d-apikey", "Vertex", ("vertex-api-key",), NATIVE, GENERATE, CredentialPlace.BEARER),
]


def test_the_table_of_families_is_the_specified_one() -> None:
    rows = [
        (family.value, row.label, row.sections, row.primary, row.fallback, row.credential)
        for family, row in FAMILIES.items()
    ]

    assert rows == TABLE


def test_every_family_has_a_label() -> None:
    assert set(LABELS) == set(Family)


@pytest.mark.parametrize(("section", "family"), [(Section(name), row[0]) for row in TABLE for name in row[2]])
def test_a_configuration_entry_belongs_to_the_family_of_its_section(section: Section, family: str) -> None:
    assert family_of(key_account(section, provider="anything")) == family


@pytest.mark.parametrize(
    ("provider", "family"),
    [
        ("compatible-x", "compat"),
        ("openai-compatible-x", "compat"),
        ("gemini", "vendor-a-apikey"),
        ("gemini-interactions", "vendor-a-apikey"),
        ("aistudio", "vendor-a-apikey"),
        ("Claude", "vendor-b-apikey"),
        ("claude-apikey", "vendor-b-apikey"),
        ("codex", "vendor-c-apikey"),
        ("xai", "vendor-c-apikey"),
        ("vertex-apikey", "vendor-d-apikey"),
        ("somebody-apikey", None),
        ("", None),
    ],
)
def test_an_entry_of_no_section_belongs_to_the_family_its_provider_names(provider: str, family: str | None) -> None:
    assert family_of(key_account(None, provider=provider)) == family


def test_every_section_of_keys_has_a_family() -> None:
    assert all(family_of(key_account(section, provider="")) for section in Section)


def test_files_are_not_looked_up_by_section() -> None:
    assert family_of(file_account(provider="kimi")) is None
