"""The gateway's list of auth files as accounts. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from adapter.clock import milliseconds
from adapter.port import Account, Activity, FileRef, KeyRef, Skipped, SourceKind, Switch, errors
from adapter.rules.entries import revision_of, shown_address
from adapter.rules.identity import Fingerprints, candidate_names

_NO_INDEX: Final = "it has no auth_index, so that no call can name it"


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """The auth files at one moment."""

    accounts: tuple[Account, ...]
    skipped: tuple[Skipped, ...] = ()


def file_accounts(answer: Any, fingerprints: Fingerprints, keys: Collection[str] = ()) -> ReadFiles:
    """Read the answer to the listing. Entries whose id is in `keys` are of configuration keys, and left to those.

    Raises:
        Unavailable: it is no listing.
    """
    listed = answer.get("files") if isinstance(answer, Mapping) else None
    if not isinstance(listed, list):
        raise errors.Unavailable("The gateway's answer for auth-files is not a list of files.")
    entries = [entry for entry in listed if isinstance(entry, Mapping) and _text(entry, "id") not in keys]
    with_index = [entry for entry in entries if _text(entry, "auth_index")]
    without = [entry for entry in entries if not _text(entry, "auth_index")]
    return ReadFiles(
        tuple(_account(entry, fingerprints) for entry in _in_order(with_index)),
        tuple(Skipped(_text(entry, "name") or _text(entry, "id"), _NO_INDEX) for entry in without),
    )


def _in_order(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Sort by name and id, because a stock gateway's order is not stable among equal names (v7.2.140)."""
    return sorted(entries, key=lambda entry: (_text(entry, "name").lower(), _text(entry, "id")))


def _account(entry: Mapping[str, Any], fingerprints: Fingerprints) -> Account:
    name, index = _text(entry, "id") or _text(entry, "name"), _text(entry, "auth_index")
    memory = entry.get("runtime_only") is True
    disabled = entry.get("disabled")
    file_name, claims = _text(entry, "name"), entry.get("id_token")
    provider, label = _text(entry, "provider") or _text(entry, "type"), _text(entry, "label")
    vendor_account = _text(claims, "chatgpt_account_id") if isinstance(claims, Mapping) else ""
    vendor_project, email = _text(entry, "project_id"), _text(entry, "email") or label
    return Account(
        ref=KeyRef(None, name) if memory else FileRef(name),
        fingerprint=fingerprints.of_key(None, "", name) if memory else fingerprints.of_file(name),
        auth_index=index,
        names=candidate_names(name, file_name, index),
        provider=provider,
        label=label,
        compat_name=_text(entry, "compat_name"),
        base_url=shown_address(_base_url(entry)),
        enabled=not disabled if isinstance(disabled, bool) else None,
        runtime_only=memory,
        listed=True,
        probeable=True,
        switch=Switch.MEMORY if memory else Switch.FILE,
        switch_reason="",
        revision=revision_of([name, index, entry.get("size"), entry.get("modtime"), disabled, *_address(entry)]),
        activity=_activity(entry),
        source_kind=cast("SourceKind", kind) if (kind := _text(entry, "source")) in {"file", "memory"} else "",
        account_type=_text(entry, "account_type"),
        auth_kind=_text(entry, "auth_kind"),
        file_name=file_name,
        vendor_account=vendor_account,
        vendor_project=vendor_project,
        vendor_mark="" if memory else fingerprints.of_owner(provider, email, vendor_account, vendor_project),
    )


def _address(entry: Mapping[str, Any]) -> list[str]:
    """Return the address of an entry as part of its revision; empty without one, so that stored revisions stay."""
    address = _base_url(entry)
    return [address] if address else []


def _base_url(entry: Mapping[str, Any]) -> str:
    """Return the address of an entry; some gateways list it among the attributes alone."""
    attributes = entry.get("attributes")
    return _text(entry, "base_url") or (_text(attributes, "base_url") if isinstance(attributes, Mapping) else "")


def _activity(entry: Mapping[str, Any]) -> Activity:
    cooling = milliseconds(entry.get("next_retry_after"))
    return Activity(_count(entry, "success"), _count(entry, "failed"), cooling)


def _count(entry: Mapping[str, Any], name: str) -> int:
    value = entry.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else ""
