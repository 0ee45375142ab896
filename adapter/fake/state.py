"""State of a fake gateway: a config.yaml text, auth files, and both as one list of credentials."""

import copy
import json
import posixpath
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import yaml

from adapter.port import Account, AccountRef, Activity, FileRef, ManagementAccess, Revision, Section, Switch, errors
from adapter.privacy.secret import Secret
from adapter.rules.config_text import ConfigTextInvalid, management_access
from adapter.rules.entries import KeyRecord, key_account, read_sections, revision_of
from adapter.rules.identity import Fingerprints, auth_index, candidate_names, file_seed

AUTH_DIR = "/auths"


@dataclass(frozen=True, slots=True)
class FakeCredential:
    """One credential with its secret; `record` is None for a file."""

    account: Account
    secret: str = field(repr=False)
    record: KeyRecord | None = None
    excluded_models: tuple[str, ...] = ()
    switch_written: bool = False


@dataclass(frozen=True, slots=True)
class _ReadKeys:
    """The keys of a configuration, with the fingerprints and counters of their reading."""

    fingerprints: Fingerprints
    activity: Mapping[str, Activity]
    keys: Mapping[AccountRef, FakeCredential]


class FakeState:
    """The stored state: the text, its values, and the files."""

    def __init__(self, text: str = "", files: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self._text: str | None = text
        self.document = parse(text)
        self._access = ManagementAccess(Secret(""), allow_remote=False)
        self.files: dict[str, dict[str, Any]] = {name: dict(content) for name, content in (files or {}).items()}
        self.activity: dict[str, Activity] = {}
        self._read: _ReadKeys | None = None
        self._last: _ReadKeys | None = None

    @property
    def management_access(self) -> ManagementAccess:
        """`remote-management` of the text; an invalid text changes nothing."""
        with suppress(ConfigTextInvalid):
            self._access = management_access(Secret(self.text))
        return self._access

    @property
    def proxy_url(self) -> Secret | None:
        value = str(self.document.get("proxy-url") or "")
        return Secret(value) if value else None

    @property
    def text(self) -> str:
        """The configuration text, written when it is asked for: of 10,000 keys that takes most of a second."""
        if self._text is None:
            self._text = yaml.dump(self.document, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        """Change the file alone, as an editor beside the gateway does: what was read of it stays."""
        self._text = text

    @property
    def revision(self) -> Revision:
        return revision_of(self.text)

    def replace_text(self, text: str) -> None:
        """Take over a new configuration text; ValueError when it is none."""
        self.document = parse(text)
        self._text = text
        self._read = None

    def replace_document(self, document: dict[str, Any]) -> None:
        """Take over a changed document; its text is written anew."""
        self.document = document
        self._text = None
        self._read = None

    def copied(self) -> dict[str, Any]:
        return copy.deepcopy(self.document)

    def credentials(self, fingerprints: Fingerprints) -> tuple[FakeCredential, ...]:
        """Keys in configuration order, hidden ones after the live ones, then files by name."""
        keys = self._keys(fingerprints).values()
        return (*keys, *(self._file(name, fingerprints) for name in sorted(self.files)))

    def find(self, ref: AccountRef, fingerprints: Fingerprints) -> FakeCredential | None:
        if isinstance(ref, FileRef):
            return self._file(ref.name, fingerprints) if ref.name in self.files else None
        return self._keys(fingerprints).get(ref)

    def restore_file(self, name: str, content: str) -> None:
        """Store a file that is not there.

        Raises:
            ConflictError: there is a file of that name.
            Rejected: the name or the content is not one of an auth file.
        """
        if not name.endswith(".json") or ".." in name.split("/"):
            raise errors.Rejected("invalid_name", f"{name!r} is no name of an auth file; nothing was written.")
        if name in self.files:
            raise errors.ConflictError(f"An auth file {name!r} exists again; nothing was written.")
        try:
            value = json.loads(content)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise errors.Rejected("invalid_file", "The content is no JSON object; nothing was written.")
        self.files[name] = value

    def _keys(self, fingerprints: Fingerprints) -> Mapping[AccountRef, FakeCredential]:
        """The keys, read again only after a change: every call looks one of them up."""
        read = self._read
        if read is None or read.fingerprints is not fingerprints or read.activity != self.activity:
            keys = self._read_keys(fingerprints)
            read = self._read = _ReadKeys(fingerprints, dict(self.activity), {key.account.ref: key for key in keys})
        self._last = read
        return read.keys

    def _read_keys(self, fingerprints: Fingerprints) -> list[FakeCredential]:
        """Read the keys; the account of an entry that did not change is the one of the last reading."""
        last = self._last
        last_keys = last.keys if last is not None and last.fingerprints is fingerprints else {}
        keys = []
        for record in read_sections(self.document):
            activity = self.activity.get(record.gateway_id, Activity())
            before = last_keys.get(record.ref)
            if before is not None and before.record == record and before.account.activity == activity:
                account = before.account
            else:
                account = key_account(record, fingerprints, activity=activity)
            entry = self.document[record.facts.section.value][record.position]
            written = ("disabled" if record.facts.section.holds_providers else "excluded-models") in entry
            keys.append(FakeCredential(account, record.facts.api_key, record, record.excluded_models, written))
        return keys

    def _file(self, name: str, fingerprints: Fingerprints) -> FakeCredential:
        content = self.files[name]
        kind = str(content.get("type", "")).strip().lower()
        index = auth_index(file_seed(kind, posixpath.join(AUTH_DIR, name)))
        disabled = bool(content.get("disabled"))
        label = str(content.get("email") or kind)
        vendor_account, vendor_project = str(content.get("account_id") or ""), str(content.get("project_id") or "")
        account = Account(
            ref=FileRef(name),
            fingerprint=fingerprints.of_file(name),
            auth_index=index,
            names=candidate_names(name, name, index),
            provider=kind,
            label=label,
            compat_name="",
            base_url=None,
            enabled=not disabled,
            runtime_only=False,
            listed=True,
            probeable=True,
            switch=Switch.FILE,
            switch_reason="",
            revision=revision_of(content),
            activity=self.activity.get(name, Activity()),
            source_kind="file",
            account_type="oauth",
            auth_kind="oauth",
            file_name=name,
            vendor_account=vendor_account,
            vendor_project=vendor_project,
            vendor_mark=fingerprints.of_owner(kind, label, vendor_account, vendor_project),
        )
        return FakeCredential(account, str(content.get("access_token") or ""), switch_written="disabled" in content)


def parse(text: str) -> dict[str, Any]:
    """A configuration text as plain values. Raises Rejected: it is no mapping, or a section is no list."""
    document = _loaded(text)
    if not isinstance(document, dict):
        raise errors.Rejected("invalid_config", "A configuration is a mapping of names to values.")
    for section in Section:
        if not isinstance(document.get(section.value) or [], list):
            raise errors.Rejected("invalid_config", f"{section.value} must be a list.")
    return json_values(document)


def _loaded(text: str) -> Any:
    place = ""
    try:
        return yaml.load(text, yaml.CSafeLoader) or {}
    except yaml.MarkedYAMLError as error:
        place = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
    except yaml.YAMLError:
        place = ""
    # outside the handler, because the parser's own error quotes the text, secrets included
    raise errors.Rejected("invalid_yaml", f"The text is not valid YAML{place}: mend it and write it again.")


def json_values(document: dict[Any, Any]) -> dict[str, Any]:
    """The same values with text keys, dates and the like as text."""
    values: dict[str, Any] = json.loads(json.dumps(document, default=str))
    return values
