"""Status changes: their records, and their meaning for config.yaml or a credential file. No I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from gateway.internal.configuration.edits import Edit, Insert, Path, Remove, Set
from gateway.internal.configuration.model import CompatProvider, Configuration, KeyEntry, Profile
from gateway.internal.configuration.scalars import written as written_as
from gateway.internal.configuration.sections import Section
from gateway.internal.pool.credential import Credential


class Outcome(StrEnum):
    """Outcome of a status change."""

    APPLIED = "applied"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    MISSING = "missing"
    CONFLICT = "conflict"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A requested status of a credential.

    Attributes:
        name: id, file name, auth_index or base name of the id.
        auth_index: Index the credential must have as well; empty for any.
        expect: ``revision`` of the credential the caller decided upon; another one is a conflict.
        restore: State to restore, rather than any state with this ``disabled``: to the character where the text is
            unchanged since, else as near as possible (without a switch where there was none).
    """

    name: str
    disabled: bool
    auth_index: str = ""
    expect: str = ""
    restore: "StatusBefore | None" = None


@dataclass(frozen=True, slots=True)
class StatusBefore:
    """State of a credential before a change, for undoing it.

    Attributes:
        written: Whether the switch existed: ``excluded-models`` of a key, ``disabled`` of anything else.
        back: Opaque inverse of the change to the character; empty where there is none. It holds positions and words of
            a switch (``true``, ``excluded-models``, ``*``, …), never a comment.
    """

    disabled: bool
    excluded_models: tuple[str, ...] = ()
    written: bool = True
    back: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class StatusResult:
    """Result of one change.

    Attributes:
        status: HTTP status of the management answer.
        error: ``error`` of the management answer; empty after a success.
        code: Slug of a refusal: ``multi_key_provider``, ``ambiguous``, ``virtual``, …; empty after a success.
        before: State before the change; None when no credential was found.
        revision: The credential's revision after the change; empty when it is gone or was not found.
        via: ``config:excluded-models`` when a key was switched through its excluded models, else empty.
        excluded_pattern: ``*`` in that case, else empty.
    """

    outcome: Outcome
    disabled: bool
    status: int = 200
    error: str = ""
    code: str = ""
    credential_id: str = ""
    before: StatusBefore | None = None
    revision: str = ""
    via: str = ""
    excluded_pattern: str = ""


PATTERN = "*"
VIA_MODELS = "config:excluded-models"
VIA_PROVIDER = "config:disabled"
EXCLUDED = "excluded-models"
SWITCH = "disabled"
_NOT_FOUND = "auth file not found"


@dataclass(frozen=True, slots=True)
class Target:
    """Place of a credential's switch: an entry of config.yaml, or a file."""

    section: Section | None
    position: int
    file_name: str = ""

    @classmethod
    def of(cls, credential: Credential) -> "Target":
        return cls(credential.section, credential.position, credential.file_name)


Entries = Mapping[tuple[Section, int], KeyEntry | CompatProvider]
"""Effective entries of a configuration by place."""


def entries_of(configuration: Configuration) -> Entries:
    """Return all entries by place, for lookups in large batches."""
    by_place: dict[tuple[Section, int], KeyEntry | CompatProvider] = {
        (section, entry.position): entry for section, entries in configuration.entries.items() for entry in entries
    }
    return by_place | {(Section.COMPAT, provider.position): provider for provider in configuration.compat}


def refusal(
    change: StatusChange, credentials: Sequence[Credential], configuration: Configuration, entries: Entries
) -> StatusResult | None:
    """Return the refusal of a change, None when it is possible.

    ``credentials`` are those with the change's name.
    """
    if not credentials:
        return StatusResult(Outcome.MISSING, change.disabled, 404, _NOT_FOUND, "not_found")
    if len(credentials) > 1:
        ids = ", ".join(credential.id for credential in credentials)
        count = f"{change.name} names {len(credentials)} credentials"
        text = f"{count}; nothing was changed, name one of them by its id: {ids}"
        return StatusResult(Outcome.REFUSED, change.disabled, 409, text, "ambiguous")
    (credential,) = credentials
    if change.expect and change.expect != credential.revision:
        text = "the credential changed since it was read; read it again and decide again"
        return StatusResult(
            Outcome.CONFLICT, change.disabled, 409, text, "changed", credential.id, revision=credential.revision
        )
    if configuration.management_profile is Profile.STOCK:
        return _stock_refusal(change, credential)
    if credential.section is not Section.COMPAT:
        return None
    provider = entries.get((credential.section, credential.position))
    return _provider_refusal(change, credential, provider if isinstance(provider, CompatProvider) else None)


def _stock_refusal(change: StatusChange, credential: Credential) -> StatusResult | None:
    """Refuse as the stock gateway: it cannot switch a compat key, and forgets a keyless one at the next reload."""
    if credential.section is not Section.COMPAT:
        return None
    if credential.disabled:
        return StatusResult(Outcome.MISSING, change.disabled, 404, _NOT_FOUND, "not_found")
    if credential.api_key:
        text = "config api key entry not found"
        return StatusResult(Outcome.MISSING, change.disabled, 404, text, "not_found", credential.id)
    return StatusResult(Outcome.UNCHANGED, change.disabled, credential_id=credential.id, revision=credential.revision)


def _provider_refusal(
    change: StatusChange, credential: Credential, provider: CompatProvider | None
) -> StatusResult | None:
    count = len(provider.usable_keys) if provider else 0
    if count < 2:  # noqa: PLR2004 - one key, or none: the provider is the key
        return None
    text = (
        f"provider {credential.compat_name} holds {count} API keys and is switched as a whole; manage it in the "
        f"provider settings ({Section.COMPAT.value} in config.yaml, or /v0/management/{Section.COMPAT.value})"
    )
    return StatusResult(
        Outcome.REFUSED, change.disabled, 409, text, "multi_key_provider", credential.id, revision=credential.revision
    )


def entry_edits(target: Target, entries: Entries, *, disabled: bool, written: bool | None = None) -> list[Edit]:
    """Return the edits that switch an entry of config.yaml; [] when it has that state already.

    Disabling adds ``*`` to the operator's patterns, enabling removes only that. ``written`` is whether an enabled entry
    shall have a switch; None: unspecified.
    """
    entry = None if target.section is None else entries.get((target.section, target.position))
    if target.section is None or entry is None or entry.disabled == disabled:
        return []
    path: Path = (target.section.value, target.position)
    if isinstance(entry, CompatProvider):
        gone = written is False and not disabled
        return [Remove((*path, SWITCH))] if gone else [Set((*path, SWITCH), disabled)]
    place = (*path, EXCLUDED)
    if disabled:
        return [Insert(place, PATTERN)]
    raw = entry.raw.get(EXCLUDED)
    patterns = raw if isinstance(raw, list) else []
    stars = [at for at, item in enumerate(patterns) if (written_as(item) or "").strip() == PATTERN]
    if len(stars) == len(patterns) and not (written and stars):
        return [Remove(place)]
    return [Remove((*place, at)) for at in reversed(stars)]


def is_written(credential: Credential, entries: Entries) -> bool:
    if credential.section is None:
        return SWITCH in credential.metadata
    entry = entries.get((credential.section, credential.position))
    return entry is not None and (SWITCH if isinstance(entry, CompatProvider) else EXCLUDED) in entry.raw
