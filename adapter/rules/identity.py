"""Identity of accounts: the gateway's ids and indexes by the stock rules, and our own fingerprints. Pure.

The stock rules are facts of the gateway's protocol: an id is `kind:` and twelve hex digits of SHA-256 over the
entry's parts, an auth_index sixteen hex digits of SHA-256 over a seed. Both move when an entry changes; the
fingerprint stays.
"""

import hashlib
import hmac
import posixpath
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from adapter.port.section import IndexSeed, Section

_ID_DIGITS: Final = 12
_INDEX_DIGITS: Final = 16
_VARIANT_DIGITS: Final = 32
_SHORTEST_INSTALLATION_KEY: Final = 16


class IdRule(Enum):
    """Rule of a release for the ids of its key sections; compatible providers and Vertex have one rule in all."""

    KEY_AND_ADDRESS = "key and base URL"
    """Stock releases before v7.2.138."""
    WHOLE_ENTRY = "key, base URL, proxy, prefix and headers"
    """Stock releases since v7.2.138, and our own gateway."""


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """Fields of a configuration entry that make its identity."""

    section: Section
    api_key: str = field(repr=False)
    base_url: str = ""
    proxy_url: str = field(default="", repr=False)
    prefix: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    compat_name: str = ""
    """Name of the compatible provider as written; empty elsewhere."""
    keyless: bool = False
    """True for a compatible provider without key entries."""


class StableIds:
    """The id generator of one synthesis run: equal entries get `-1`, `-2`, … in the order they come."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def next(self, kind: str, *parts: str) -> str:
        """The id for an entry of `kind` made of `parts`; blanks around a part do not matter."""
        digest = hashlib.sha256(kind.encode())
        for part in parts:
            digest.update(b"\0" + part.strip().encode())
        stem = f"{kind}:{digest.hexdigest()[:_ID_DIGITS]}"
        count = self._counts[stem]
        self._counts[stem] += 1
        return f"{stem}-{count}" if count else stem


def entry_id(ids: StableIds, facts: KeyFacts, rule: IdRule = IdRule.WHOLE_ENTRY) -> str:
    """Return the gateway's id of a configuration entry by the rule of its release."""
    section, row = facts.section, facts.section.row
    name = facts.compat_name.strip().lower() or row.provider
    kind = f"{row.provider}:{name if section.holds_providers else 'apikey'}"
    if facts.keyless:
        return ids.next(kind, facts.base_url)
    parts = (facts.api_key, facts.base_url)
    if not row.extended_id:
        return ids.next(kind, *parts, facts.proxy_url)
    if rule is IdRule.KEY_AND_ADDRESS:
        return ids.next(kind, *parts)
    return ids.next(kind, *parts, facts.proxy_url, facts.prefix, headers_part(facts.headers))


def headers_part(headers: Mapping[str, str]) -> str:
    """An entry's extra headers as one part of its id: sorted by bytes, each name and value ended by NUL."""
    return "".join(f"{name}\0{headers[name]}\0" for name in sorted(headers, key=str.encode))


def auth_index(seed: str) -> str:
    """Sixteen hex digits of SHA-256 over a seed."""
    return hashlib.sha256(seed.encode()).hexdigest()[:_INDEX_DIGITS]


def key_seed(facts: KeyFacts, gateway_id: str) -> str:
    """Return the seed of an entry's auth_index; the id is the seed where there is no key, and for Vertex."""
    if facts.section.row.index_seed is IndexSeed.ENTRY_ID or not facts.api_key.strip():
        return f"id:{gateway_id}"
    return f"{facts.section.value}:{facts.base_url.strip()}+{facts.api_key.strip()}"


def file_seed(kind: str, path: str, working_directory: str = "/") -> str:
    """The seed of an auth file's auth_index: its type in lower case, and its absolute, cleaned path.

    `working_directory` is the gateway process's, for a relative `path`.
    """
    return f"{kind.strip().lower()}:{posixpath.normpath(posixpath.join(working_directory, path))}"


def provider_of(facts: KeyFacts) -> str:
    """Return the provider field of a configuration entry's credential."""
    provider = facts.section.row.provider
    name = facts.compat_name.strip().lower()
    if not facts.section.holds_providers or name in {"", provider}:
        return provider
    return name if name.startswith("openai-compatible-") else f"openai-compatible-{name}"


def candidate_names(gateway_id: str, file_name: str, index: str) -> tuple[str, ...]:
    """The names a status change tries in turn: id, file name, auth_index, base name of the id; each once."""
    names = (gateway_id, file_name, index, posixpath.basename(gateway_id))
    return tuple(dict.fromkeys(name for name in names if name))


class Fingerprints:
    """Fingerprints of one installation: stable while section, base URL and key stay, useless anywhere else.

    Raises:
        ValueError: the installation key is shorter than 16 bytes.
    """

    def __init__(self, installation_key: bytes) -> None:
        if len(installation_key) < _SHORTEST_INSTALLATION_KEY:
            raise ValueError(
                f"The installation key has {len(installation_key)} bytes, at least {_SHORTEST_INSTALLATION_KEY} are"
                " needed: restore secret.key from a backup, or delete it to start anew."
            )
        self._key = installation_key

    def of_key(self, section: Section | None, base_url: str, api_key: str) -> str:
        """The fingerprint of an API key: blanks, and slashes at the end of the address, do not matter."""
        return self._digest("key", section.value if section else "", base_url.strip().rstrip("/"), api_key.strip())

    def of_file(self, name: str) -> str:
        """The fingerprint of an auth file, by its path relative to auth-dir."""
        return self._digest("file", name)

    def of_variant(self, proxy_url: str, headers: Mapping[str, str], prefix: str = "") -> str:
        """The mark of what else an entry sets besides base URL and key; empty where it sets none of these."""
        parts = (proxy_url.strip(), headers_part(headers), prefix.strip())
        return self._digest("variant", *parts)[:_VARIANT_DIGITS] if any(parts) else ""

    def of_proxy(self, proxy_url: str) -> str:
        """The mark of a proxy; empty without one, or where the entry asks for a direct connection."""
        proxy = proxy_url.strip()
        return "" if proxy.lower() in {"", "direct", "none"} else self.of_variant(proxy, {})

    def of_key_alone(self, api_key: str) -> str:
        """The mark of a key wherever it is used; empty without one."""
        return self._digest("key alone", api_key.strip()) if api_key.strip() else ""

    def of_owner(self, provider: str, label: str, account: str, project: str) -> str:
        """The mark of the vendor's account behind an OAuth file; empty where the gateway does not tell it.

        A vendor may give all members of a team one id, so an e-mail address in the label counts as well.
        """
        email = label.strip().lower() if "@" in label else ""
        return self._digest("owner", provider, email, account, project) if email or account else ""

    def matches(self, installation_key: bytes) -> bool:
        """Return whether these are the fingerprints of that installation key."""
        return hmac.compare_digest(self._key, installation_key)

    def _digest(self, *parts: str) -> str:
        encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
        return hmac.new(self._key, framed, hashlib.sha256).hexdigest()


class Binding:
    """Holds the fingerprints of one installation, once its key is known."""

    def __init__(self) -> None:
        self._fingerprints: Fingerprints | None = None

    def bind(self, installation_key: bytes) -> None:
        """Take the installation key; ValueError for a short one, or for another one than before."""
        if self._fingerprints is None:
            self._fingerprints = Fingerprints(installation_key)
        elif not self._fingerprints.matches(installation_key):
            raise ValueError("This connection is bound to another installation key: open a new connection.")

    def fingerprints(self) -> Fingerprints:
        """The fingerprints; RuntimeError before `bind`, which is a mistake in the start-up order."""
        if self._fingerprints is None:
            raise RuntimeError("Connection.bind must be called with the installation key before the pool is read.")
        return self._fingerprints
