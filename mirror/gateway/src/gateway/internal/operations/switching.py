"""What a status change means for config.yaml or a credential file: pure decisions, no I/O."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from gateway.internal.configuration.edits import Edit, Insert, Path, Remove, Set
from gateway.internal.configuration.model import CompatProvider, Configuration, Profile
from gateway.internal.configuration.scalars import written
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.outcome import Outcome, StatusChange, StatusResult
from gateway.internal.pool.credential import Credential

PATTERN = "*"
VIA_MODELS = "config:excluded-models"
VIA_PROVIDER = "config:disabled"
_EXCLUDED = "excluded-models"
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


def refusal(change: StatusChange, found: Sequence[Credential], configuration: Configuration) -> StatusResult | None:
    """Return why a change is not made, None when it can be.

    Args:
        change: The wish.
        found: The credentials its name means.
        configuration: The configuration they were made from.
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
    return _provider_refusal(change, credential, provider_of(credential, configuration))


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


def provider_of(credential: Credential, configuration: Configuration) -> CompatProvider | None:
    """Return the compat provider a credential belongs to."""
    return next((each for each in configuration.compat if each.position == credential.position), None)


def entry_edits(target: Target, configuration: Configuration, *, disabled: bool) -> list[Edit]:
    """Return the edits that switch an entry of config.yaml; [] when it is as wished already.

    Disabling adds ``*`` to the patterns the operator wrote, enabling takes only that away again.
    """
    if target.section is None:
        return []
    path: Path = (target.section.value, target.position)
    if target.section is Section.COMPAT:
        provider = next((each for each in configuration.compat if each.position == target.position), None)
        return [] if provider is None or provider.disabled == disabled else [Set((*path, "disabled"), disabled)]
    entries = configuration.entries[target.section]
    entry = next((each for each in entries if each.position == target.position), None)
    if entry is None or entry.disabled == disabled:
        return []
    place = (*path, _EXCLUDED)
    if disabled:
        return [Insert(place, PATTERN)]
    raw = entry.raw.get(_EXCLUDED)
    patterns = raw if isinstance(raw, list) else []
    stars = [at for at, item in enumerate(patterns) if (written(item) or "").strip() == PATTERN]
    if len(stars) == len(patterns):
        return [Remove(place)]
    return [Remove((*place, at)) for at in reversed(stars)]


def file_content(content: bytes, *, disabled: bool) -> bytes | None:
    """Return a credential file with its switch set, as compact JSON with sorted keys; None when it is no object.

    Every other field is kept, those the gateway does not know included.
    """
    try:
        value = json.loads(content)
        if not isinstance(value, dict):
            return None
        value["disabled"] = disabled
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()
    except (ValueError, RecursionError):
        return None
