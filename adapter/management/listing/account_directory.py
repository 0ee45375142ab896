"""The pool of a management API: all sections and the auth files, read and joined, with the accounts that are live."""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from adapter.clock import Clock
from adapter.contract.expectations import management, section_path
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import Misdirected, PathUnknown, content
from adapter.management.client.release import Feature, Release
from adapter.management.client.transport import Reply
from adapter.management.listing.file_contents import FileContents
from adapter.management.listing.files import ReadFiles, file_accounts
from adapter.management.listing.key_activity import KeyActivity, key_activity
from adapter.management.listing.sections import (
    KeptSection,
    ReadSection,
    mark_of,
    meaning_of,
    parse_section,
    without_lingering,
)
from adapter.port import Account, AccountRef, Activity, KeyRef, Pool, Section, errors
from adapter.port.reading import current_reading
from adapter.privacy.disclosure import PoolKeys
from adapter.rules.entries import KeyRecord, key_account, revision_of
from adapter.rules.identity import Binding, Fingerprints
from adapter.rules.known_names import KnownNames

FILES: Final = management("auth-files")
_COUNTERS: Final = management("api-key-usage")
_SETTINGS: Final = management("config")
_OK: Final = 200
_PAUSE: Final = 0.2
_PAUSE_EXPENSIVE: Final = 1.0


@dataclass(frozen=True, slots=True)
class LiveAccount:
    """Account as a call needs it: the key an upstream could echo (None: not known yet), its own proxy and headers."""

    account: Account
    api_key: str | None = field(repr=False)
    proxy_url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


class AccountDirectory:
    """Reads the pool and remembers its accounts."""

    def __init__(self, client: GuardedClient, binding: Binding, clock: Clock, names: KnownNames) -> None:
        self._client = client
        self._binding = binding
        self._clock = clock
        self._names = names
        self.contents = FileContents(client)
        self._live: dict[AccountRef, LiveAccount] = {}
        self._keys: PoolKeys | None = None
        self._read_at: dict[Section | None, float] = {}
        self._sections: dict[Section, KeptSection] = {}
        self._removed: set[tuple[str, str]] = set()
        self._reading: dict[Section | None, asyncio.Lock] = {}

    async def pool(self) -> Pool:
        """Read the whole pool.

        Raises:
            GatewayError: it could not be read.
        """
        self._binding.fingerprints()
        activity = None if await self._shares_unchanged() else await self._activity()
        parts = await asyncio.gather(*(self._accounts_of(section, activity, shared=True) for section in Section))
        keys = tuple(account for part in parts for account in part)
        ids = {account.ref.entry_id for account in keys if isinstance(account.ref, KeyRef)}
        files = await self.files(ids, shared=True)
        accounts = (*keys, *await self.contents.with_addresses(files.accounts))
        revision = revision_of([[str(account.ref), account.revision, account.auth_index] for account in accounts])
        return Pool(revision, self._clock.now_ms(), accounts, files.skipped)

    async def counted(self) -> tuple[Account, ...]:
        """Return the accounts with the counters of now; the pool is read only where counters are of unknown keys.

        Raises:
            GatewayError: they could not be read.
        """
        kept, activity = [*self._sections.values()], await self._activity()
        known = KeyActivity.names_of(record for section in kept for record in section.records)
        unknown = activity.counted.keys() - known
        if len(kept) < len(Section) or unknown - self._removed:
            self._removed = set(unknown)
            return (await self.pool()).accounts
        keys = (account for section in kept for account in section.with_activity(activity).accounts)
        return (*keys, *(await self.files(self._key_ids())).accounts)

    async def _shares_unchanged(self) -> bool:
        """Share the sections that are as before in the gateway's memory, and return whether that could be done.

        One answer has all of them, but for the indexes, which a command does not need: its counters may be old, too.
        """
        if current_reading() is None or len(self._sections) < len(Section) or (await self._client.release()).own:
            return False
        if all(self._client.is_shared(section_path(section)) for section in Section):
            return True
        try:
            settings = await self._client.read(_SETTINGS)
        except (PathUnknown, errors.Rejected):
            return False
        entries = {section: settings.get(section.value, ()) for section in Section if isinstance(settings, dict)}
        meanings = await asyncio.to_thread(
            lambda: {section: meaning_of(part or []) for section, part in entries.items()}
        )
        for section, meaning in meanings.items():
            if meaning == self._sections[section].meaning:
                self._client.share(section_path(section), self._sections[section].reply)
        return True

    async def section(self, section: Section, *, shared: bool = False) -> ReadSection:
        """Read one section; one the gateway does not have is empty. For `shared` see `GuardedClient.read`.

        Raises:
            GatewayError: it could not be read.
        """
        reply = await self._section_reply(section, shared=shared)
        return await self._parsed(section, reply.body)

    async def unchanged(self, read: ReadSection) -> bool:
        """Return whether a section still reads the same, byte for byte.

        Raises:
            GatewayError: it could not be read.
        """
        return mark_of((await self._section_reply(read.section)).body) == read.mark

    async def _parsed(self, section: Section, body: bytes) -> ReadSection:
        release = await self._client.release()
        read = await asyncio.to_thread(parse_section, section, body, release.id_rule)
        return read if release.has(Feature.LIVE_INDEX) else without_lingering(read)

    async def _section_reply(self, section: Section, *, shared: bool = False) -> Reply:
        try:
            return await self._client.fetch(section_path(section), shared=shared)
        except PathUnknown:
            return Reply(_OK, {}, json.dumps({section.value: []}).encode())

    async def files(self, keys: Collection[str] = (), *, shared: bool = False, **query: str) -> ReadFiles:
        """Read the auth files; `keys` are ids of configuration keys, which some gateways list among them.

        Raises:
            GatewayError: they could not be read.
        """
        started = self._clock.monotonic()
        answer = await self._client.read(FILES, shared=shared, **query)
        files = await asyncio.to_thread(file_accounts, answer, self._binding.fingerprints(), keys)
        if not query:
            self._remember(None, started, {account.ref: LiveAccount(account, None) for account in files.accounts})
        return files

    async def accounts_of(self, read: ReadSection, activity: KeyActivity | None = None) -> tuple[Account, ...]:
        """The accounts of a section that was read, in the order of its records."""
        release, counted = await self._client.release(), activity or KeyActivity()
        return await asyncio.to_thread(_accounts, read, counted, self._binding.fingerprints(), release)

    def keys(self) -> PoolKeys:
        """Return the keys of the accounts read so far, prepared once for each reading."""
        if self._keys is None:
            self._keys = PoolKeys(live.api_key for live in self._live.values() if live.api_key)
        return self._keys

    def known(self, ref: AccountRef) -> LiveAccount | None:
        """Return the account of a reference as of the last reading."""
        return self._live.get(ref)

    async def live(self, ref: AccountRef) -> LiveAccount | None:
        """Return the live or detached account of a reference; the pool is read when it is not known."""
        if ref not in self._live:
            await self._reread(ref, self._clock.monotonic())
        live = self._live.get(ref)
        usable = live is not None and (live.account.probeable or live.account.detached)
        return live if usable else None

    async def still_live(self, live: LiveAccount, since: float) -> bool:
        """Return whether an account is live under the same index in a reading begun after `since` (monotonic s)."""
        await self._reread(live.account.ref, since)
        now = self._live.get(live.account.ref)
        return now is not None and now.account.auth_index == live.account.auth_index and now.account.probeable

    async def _reread(self, ref: AccountRef, since: float) -> None:
        """Read the part of the pool a reference belongs to, unless a reading has begun after `since`.

        Concurrent callers share the next reading; between two lies a pause, so that a pool in which every key is
        refused is not read all the time.
        """
        part = ref.section if isinstance(ref, KeyRef) else None
        async with self._reading.setdefault(part, asyncio.Lock()):
            if self._read_at.get(part, -1.0) >= since:
                return
            if part in self._read_at:
                await self._clock.sleep(self._read_at[part] + self._pause() - self._clock.monotonic())
            if part is None:
                await self.files(self._key_ids())
            else:
                await self._accounts_of(part)

    def _pause(self) -> float:
        return _PAUSE_EXPENSIVE if self._client.expensive else _PAUSE

    async def _activity(self) -> KeyActivity:
        """Return the gateway's counters of its keys; none where it has no such path, in whatever way it says so."""
        if not (await self._client.release()).has(Feature.KEY_ACTIVITY):
            return KeyActivity()
        try:
            reply = await self._client.fetch(_COUNTERS)
        except (errors.NotFound, errors.Rejected, Misdirected):
            return KeyActivity()
        return await asyncio.to_thread(lambda: key_activity(content(reply)))

    async def _accounts_of(
        self, section: Section, activity: KeyActivity | None = None, *, shared: bool = False
    ) -> tuple[Account, ...]:
        started = self._clock.monotonic()
        reply = await self._section_reply(section, shared=shared)
        former = self._sections.get(section)
        if former is None or former.mark != mark_of(reply.body):
            known = KeyActivity() if former is None else former.activity
            return await self._learn(section, reply, started, known if activity is None else activity)
        now = former if activity is None else await asyncio.to_thread(former.with_activity, activity)
        for before, account in zip(former.accounts, now.accounts, strict=True):
            if account is not before:
                self._live[account.ref] = replace(self._live[account.ref], account=account)
        self._sections[section] = now
        self._read_at[section] = started
        return now.accounts

    async def _learn(
        self, section: Section, reply: Reply, started: float, activity: KeyActivity
    ) -> tuple[Account, ...]:
        read = await self._parsed(section, reply.body)
        accounts = await self.accounts_of(read, activity)
        live: dict[AccountRef, LiveAccount] = {
            account.ref: LiveAccount(
                account, record.facts.api_key, record.facts.proxy_url.strip(), record.facts.headers
            )
            for account, record in zip(accounts, read.records, strict=True)
        }
        self._remember(section, started, live)
        meaning = await asyncio.to_thread(meaning_of, read.entries) if read.settled() else ""
        self._sections[section] = KeptSection(read.mark, meaning, reply, activity, read.records, accounts)
        return accounts

    def _remember(self, part: Section | None, started: float, live: Mapping[AccountRef, LiveAccount]) -> None:
        gone = [ref for ref in self._live if _part(ref) is part and ref not in live]
        for ref in gone:
            del self._live[ref]
        self._live.update(live)
        self._keys = None
        self._read_at[part] = started
        self._names.learn(remembered.account for remembered in live.values())

    def _key_ids(self) -> set[str]:
        return {ref.entry_id for ref in self._live if isinstance(ref, KeyRef) and ref.section is not None}


def _accounts(
    read: ReadSection, activity: KeyActivity, fingerprints: Fingerprints, release: Release
) -> tuple[Account, ...]:
    live = read.live()
    return tuple(
        _account(record, counted, fingerprints, live[place], release)
        for place, (record, counted) in enumerate(zip(read.records, activity.of(read.records), strict=True))
    )


def _account(
    record: KeyRecord, activity: Activity, fingerprints: Fingerprints, index: str, release: Release
) -> Account:
    account = key_account(record, fingerprints, activity=activity)
    if not release.has(Feature.SECTION_INDEX):
        return replace(account, auth_index="", probeable=False, detached=False)
    names = tuple(dict.fromkeys(name for name in (record.gateway_id, index) if name))
    # An older release would send the key past the proxy of the entry.
    by_its_proxy = not record.facts.proxy_url.strip() or release.has(Feature.CALL_PROXY)
    return replace(
        account,
        auth_index=index,
        names=names,
        listed=bool(index),
        probeable=bool(index),
        detached=account.detached and not index and by_its_proxy,
    )


def _part(ref: AccountRef) -> Section | None:
    return ref.section if isinstance(ref, KeyRef) else None
