"""What a status change means for config.yaml or a credential file: pure decisions, no I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gateway.internal.configuration.edits import Edit, Insert, Path, Remove, Set
from gateway.internal.configuration.model import CompatProvider, Configuration, KeyEntry, Profile
from gateway.internal.configuration.scalars import written as written_as
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.outcome import Outcome, StatusChange, StatusResult
from gateway.internal.pool.credential import Credential

PATTERN = "*"
VIA_MODELS = "config:excluded-models"
VIA_PROVIDER = "config:disabled"
EXCLUDED = "excluded-models"
SWITCH = "disabled"
_NOT_FOUND = "auth file not found"


@dataclass(frozen=True, slots=True)
class Target:
    """One place that says whether a credential is on: an entry of config.yaml, or a file."""

    section: Section | None
    position: int
    file_name: str = ""

    @classmethod
    def of(cls, credential: Credential) -> "Target":
        """Return the place of a credential."""
        return cls(credential.section, credential.position, credential.file_name)


Entries = Mapping[tuple[Section, int], KeyEntry | CompatProvider]
"""The entries of a configuration that count, by their places."""


def entries_of(configuration: Configuration) -> Entries:
    """Return all entries by their places, so that a large batch need not look through the lists."""
    found: dict[tuple[Section, int], KeyEntry | CompatProvider] = {
        (section, entry.position): entry for section, entries in configuration.entries.items() for entry in entries
    }
    return found | {(Section.COMPAT, provider.position): provider for provider in configuration.compat}


def refusal(
    change: StatusChange, found: Sequence[Credential], configuration: Configuration, entries: Entries
) -> StatusResult | None:
    """Return why a change is not made, None when it can be.

    Args:
        change: The wish.
        found: The credentials its name means.
        configuration: The configuration they were made from.
        entries: Its entries; see ``entries_of``.
    """
    if not found:
        return StatusResult(Outcome.MISSING, change.disabled, 404, _NOT_FOUND, "not_found")
    if len(found) > 1:
        ids = ", ".join(credential.id for credential in found)
        text = f"{change.name} names {len(found)} credentials; nothing was changed, name one of them by its id: {ids}"
        return StatusResult(Outcome.REFUSED, change.disabled, 409, text, "ambiguous")
    (credential,) = found
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
    """The stock gateway does not know how to switch a compat key; a keyless one it forgets at the next reload."""
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
    """Return the edits that switch an entry of config.yaml; [] when it is as wished already.

    Disabling adds ``*`` to the patterns the operator wrote, enabling takes only that away again.

    Args:
        target: The entry.
        entries: See ``entries_of``.
        disabled: What it shall be.
        written: Whether the switch shall be there when the entry is on; None: as it comes.
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
    """Return whether the switch of a credential stands in its file or entry."""
    if credential.section is None:
        return SWITCH in credential.metadata
    entry = entries.get((credential.section, credential.position))
    return entry is not None and (SWITCH if isinstance(entry, CompatProvider) else EXCLUDED) in entry.raw
