"""Families of API-key accounts: how each is recognised, probed and authenticated.

This table is the only place of the inspection that knows a vendor by name; facts about a section of the configuration
come from its row (`adapter.port.section`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from adapter.port import TOKEN_PLACEHOLDER, Account, KeyRef, Section

VENDOR_OWN_HOST = "googleapis.com"
"""Hosts at or under this name take the key in their own header and answer 401 to Bearer."""

REASONING_MODELS = ("o1", "o3", "o4", "gpt-5", "codex")
"""Beginnings of models that know the cap of a chat answer as ``max_completion_tokens`` alone."""


class Family(StrEnum):
    """Family of an API-key account; the tokens are fixed."""

    ALL = "all"
    COMPAT = "compat"
    VENDOR_A = "vendor-a-apikey"
    VENDOR_B = "vendor-b-apikey"
    VENDOR_C = "vendor-c-apikey"
    VENDOR_D = "vendor-d-apikey"


class ProbeEndpoint(StrEnum):
    """Endpoint of a probe request; decides path, body and the shape of a credible answer."""

    MODELS = "models"
    NATIVE_MODELS = "native-models"
    CHAT = "chat"
    MESSAGES = "messages"
    GENERATE = "generate"
    RESPONSES = "responses"
    USAGE = "usage"
    BILLING = "billing"


class CredentialPlace(StrEnum):
    """Place of the credential in a request."""

    BEARER = "bearer"
    API_KEY_HEADER = "x-api-key"
    NATIVE_HEADER = "x-goog-api-key"


CREDENTIAL_HEADERS: Mapping[CredentialPlace, Mapping[str, str]] = MappingProxyType(
    {
        CredentialPlace.BEARER: MappingProxyType({"Authorization": f"Bearer {TOKEN_PLACEHOLDER}"}),
        CredentialPlace.API_KEY_HEADER: MappingProxyType({"x-api-key": TOKEN_PLACEHOLDER}),
        CredentialPlace.NATIVE_HEADER: MappingProxyType({"x-goog-api-key": TOKEN_PLACEHOLDER}),
    }
)
"""The one header that carries the credential, for each place it can be in."""


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """One row of the table of families.

    ``sections`` are the configuration lists whose entries belong here; ``prefixes`` and ``providers`` recognise entries
    that come from elsewhere by their provider id. ``credential_at_home`` replaces ``credential`` on the vendor's own
    hosts and confirms a refusal on any other. ``public_address`` is None where no public address answers the probe.
    ``below_base`` are the endpoints that a gateway calls right below the base URL, without a version.
    """

    label: str
    sections: tuple[Section, ...]
    prefixes: tuple[str, ...]
    providers: tuple[str, ...]
    primary: ProbeEndpoint
    fallback: ProbeEndpoint | None
    credential: CredentialPlace
    default_model: str
    public_address: str | None = None
    credential_at_home: CredentialPlace | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    below_base: tuple[ProbeEndpoint, ...] = ()


def _sections(family: Family) -> tuple[Section, ...]:
    """Return the sections whose entries belong to a family, in the order of their table."""
    return tuple(section for section in Section if section.row.family == family)


def _public_address(family: Family) -> str | None:
    """Return the public address of a family's first section."""
    return _sections(family)[0].row.default_address


def public_address(account: Account) -> str | None:
    """Return the vendor's public address for an account: that of its section, else of the section of its provider.

    None where no public address answers a probe, or the provider is none of a section's: a key never goes to another
    vendor of its family.
    """
    section = account.ref.section if isinstance(account.ref, KeyRef) else None
    provider = account.provider.strip().lower()
    alike = (candidate for candidate in Section if provider.startswith(candidate.row.provider))
    matched_section = section or max(alike, key=lambda candidate: len(candidate.row.provider), default=None)
    return matched_section.row.default_address if matched_section else None


FAMILIES: Mapping[Family, FamilyRow] = MappingProxyType(
    {
        Family.COMPAT: FamilyRow(
            label="OpenAI-compatible",
            sections=_sections(Family.COMPAT),
            prefixes=("compatible-", "openai-compatible-"),
            providers=("openai-compatibility",),
            primary=ProbeEndpoint.MODELS,
            fallback=ProbeEndpoint.CHAT,
            credential=CredentialPlace.BEARER,
            default_model="gpt-4o-mini",
            below_base=(ProbeEndpoint.CHAT,),
        ),
        Family.VENDOR_A: FamilyRow(
            label="Gemini, AI Studio",
            sections=_sections(Family.VENDOR_A),
            prefixes=("gemini", "aistudio"),
            providers=(),
            primary=ProbeEndpoint.NATIVE_MODELS,
            fallback=ProbeEndpoint.GENERATE,
            credential=CredentialPlace.BEARER,
            default_model="gemini-2.5-flash-lite",
            public_address=_public_address(Family.VENDOR_A),
            credential_at_home=CredentialPlace.NATIVE_HEADER,
        ),
        Family.VENDOR_B: FamilyRow(
            label="Claude",
            sections=_sections(Family.VENDOR_B),
            prefixes=("claude",),
            providers=(),
            primary=ProbeEndpoint.MESSAGES,
            fallback=None,
            credential=CredentialPlace.API_KEY_HEADER,
            default_model="claude-haiku-4-5",
            public_address=_public_address(Family.VENDOR_B),
            headers=MappingProxyType({"anthropic-version": "2023-06-01"}),
        ),
        Family.VENDOR_C: FamilyRow(
            label="Codex",
            sections=_sections(Family.VENDOR_C),
            prefixes=("codex", "xai"),
            providers=(),
            primary=ProbeEndpoint.MODELS,
            fallback=ProbeEndpoint.CHAT,
            credential=CredentialPlace.BEARER,
            default_model="gpt-5-mini",
            below_base=(ProbeEndpoint.CHAT, ProbeEndpoint.RESPONSES),
            public_address=_public_address(Family.VENDOR_C),
        ),
        Family.VENDOR_D: FamilyRow(
            label="Vertex",
            sections=_sections(Family.VENDOR_D),
            prefixes=("vertex",),
            providers=(),
            primary=ProbeEndpoint.NATIVE_MODELS,
            fallback=ProbeEndpoint.GENERATE,
            credential=CredentialPlace.BEARER,
            default_model="gemini-2.5-flash-lite",
            credential_at_home=CredentialPlace.NATIVE_HEADER,
        ),
    }
)
"""The five families; ``Family.ALL`` is a choice of the operator, not a row."""

LABELS: Mapping[Family, str] = MappingProxyType(
    {Family.ALL: "All families", **{family: row.label for family, row in FAMILIES.items()}}
)
"""Display name of each token."""


def family_of(account: Account) -> Family | None:
    """Return the family of an API-key account, or None when no probe is known for its provider.

    The configuration section an entry comes from decides where it is known; else the provider id does. Whether the
    account is an API-key account at all is not asked here: files carry the same provider ids.
    """
    if isinstance(account.ref, KeyRef):
        for family, row in FAMILIES.items():
            if account.ref.section in row.sections:
                return family
    provider = account.provider.strip().lower()
    for family, row in FAMILIES.items():
        if provider in row.providers or provider.startswith(row.prefixes):
            return family
    return None
