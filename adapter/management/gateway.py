"""The gateway behind a management API: every verb of the port over HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adapter.clock import Clock
from adapter.contract.expectations import management, section_path
from adapter.management.admission import HeldKey, refused
from adapter.management.calling import Caller
from adapter.management.client.guarded_client import GuardedClient
from adapter.management.client.interpreting import PathUnknown
from adapter.management.client.pace import CallLimit, OwnDelay
from adapter.management.client.release import Feature, Release
from adapter.management.client_keys import KEYS, ClientKeyList
from adapter.management.documents import Documents
from adapter.management.entry_edit import EntryEditor
from adapter.management.file_deletion import FileDeletion
from adapter.management.key_check import KeyCheck
from adapter.management.listing.account_directory import AccountDirectory
from adapter.management.lost_parts import ConfigurationLosses
from adapter.management.sign_in import ManagementSignIn
from adapter.management.subscription import ManagementSubscriptions
from adapter.management.switching.status_updater import StatusUpdater
from adapter.management.usage import ManagementUsageQueue
from adapter.port import (
    About,
    Admission,
    AdmissionAttempt,
    Admitted,
    Answer,
    Capability,
    Change,
    Document,
    Entry,
    FileRef,
    KeyRef,
    Losses,
    ManagementAccess,
    NoAnswer,
    OutboundCall,
    Outcome,
    Pool,
    Revision,
    Section,
    SignInBegun,
    SignInState,
    UsageBatch,
    UsageState,
    UsageSubscription,
    errors,
)
from adapter.port.accounts import counted_requests
from adapter.privacy.secret import Secret
from adapter.rules.identity import Binding
from adapter.rules.known_names import KnownNames

ALWAYS: Final = frozenset(
    {
        Capability.SET_DISABLED,
        Capability.DELETE_FILE,
        Capability.RESTORE_FILE,
        Capability.CONFIGURATION,
        Capability.PROXY_URL,
        Capability.ADMISSION,
    }
)
_SECTIONS: Final = management(Section.CLAUDE.value)
_USAGE: Final = management("usage-statistics-enabled")
_STOCK: Final = "stock"
_BY_RELEASE: Final = {
    Capability.USAGE: Feature.USAGE_QUEUE,
    Capability.USAGE_SUBSCRIPTION: Feature.USAGE_SUBSCRIPTION,
}


class ManagementGateway:
    """A `Gateway` elsewhere. No request is sent before the first verb; capabilities are found once."""

    def __init__(
        self,
        client: GuardedClient,
        binding: Binding,
        admission: HeldKey,
        clock: Clock,
        subscriptions: ManagementSubscriptions,
    ) -> None:
        self._client = client
        self._binding = binding
        self._admission = admission
        self._key_check = KeyCheck(client, clock)
        names = KnownNames()
        self._directory = AccountDirectory(client, binding, clock, names)
        self._file_deletion = FileDeletion(client, self._directory)
        self.pace = CallLimit(clock, self._measure)
        self._status_updater = StatusUpdater(client, self._directory, names, clock)
        self.reloads = self._status_updater.reloads
        """Turns of configuration writes, which the proxy shares."""
        self._caller = Caller(client, self._directory, self.pace, clock)
        self._documents = Documents(client, self._directory, self.reloads, self._status_updater.writer, clock)
        edits = self._status_updater.writer.edits
        self._client_keys = ClientKeyList(client, self._documents, edits, self.reloads, clock)
        self._entries = EntryEditor(client, self._directory, self._status_updater.writer, self.reloads)
        self._losses = ConfigurationLosses(client, self._directory, self._documents, edits, self.reloads)
        self._sign_in = ManagementSignIn(client)
        self._usage = ManagementUsageQueue(client, self.reloads, clock)
        self._subscriptions = subscriptions
        self._about: About | None = None

    async def describe(self) -> About:
        """See the port; asked once."""
        if self._about is None:
            release = await self._client.release()
            self.pace.start(self._client.cost, expensive=self._client.expensive)
            capabilities = await self._capabilities(release)
            self._about = About(
                release.name, release.version, capabilities, self._client.cost, self._client.connections
            )
        return self._about

    async def accounts(self) -> Pool:
        return await self._directory.pool()

    async def request_counts(self) -> Mapping[str, int]:
        return counted_requests(await self._directory.counted())

    async def section_entries(self, section: Section) -> Sequence[Mapping[str, Any]] | None:
        """Return the entries of a section as the gateway shows them; None where it has no such section.

        Raises:
            GatewayError: it could not be read.
        """
        if not await self._exists(section_path(section)):
            return None
        return (await self._directory.section(section)).entries

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        self._binding.fingerprints()
        return await self._status_updater.switch(changes)

    async def delete_file(self, file: FileRef, expect: Revision) -> None:
        self._binding.fingerprints()
        await self._file_deletion.delete(file, expect)

    async def read_file(self, file: FileRef, expect: Revision) -> Secret:
        self._binding.fingerprints()
        return await self._file_deletion.read(file, expect)

    async def restore_file(self, file: FileRef, content: Secret) -> None:
        """See the port; the content is uploaded, and a stock gateway stores it as compact JSON."""
        self._binding.fingerprints()
        await self._file_deletion.restore(file, content)

    async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - the port's
        await self._require(Capability.CALL)
        return await self._caller.call(request, timeout)

    async def configuration(self) -> Document:
        return await self._documents.read()

    async def write_configuration(self, text: Secret, expect: Revision) -> Revision:
        return await self._documents.write(text, expect)

    async def replace_section(self, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
        await self._require(Capability.REPLACE_SECTION)
        return await self._documents.replace(section, entries, expect)

    async def client_keys(self) -> tuple[Secret, ...]:
        await self._require(Capability.CLIENT_KEYS)
        return await self._client_keys.read()

    async def replace_client_keys(self, keys: Sequence[Secret], expect: Sequence[Secret]) -> None:
        await self._require(Capability.CLIENT_KEYS)
        await self._client_keys.replace(keys, expect)

    async def read_entry(self, ref: KeyRef, expect: Revision) -> Entry:
        return await self._entries.read(ref, expect)

    async def edit_entry(self, ref: KeyRef, expect: Revision, fields: Entry) -> None:
        await self._require(Capability.REPLACE_SECTION)
        await self._entries.edit(ref, expect, fields)

    async def losses(self) -> Losses:
        return await self._losses.now()

    async def bring_back(self, losses: Losses) -> bool:
        return await self._losses.bring_back(losses)

    async def proxy_url(self) -> Secret | None:
        return await self._documents.proxy_url()

    async def management_access(self) -> ManagementAccess:
        return await self._documents.management_access()

    async def begin_sign_in(self, provider: str) -> SignInBegun:
        await self._require(Capability.SIGN_IN)
        return await self._sign_in.begin(provider)

    async def sign_in_state(self, state: Secret) -> SignInState:
        return await self._sign_in.state(state)

    async def send_callback(self, state: Secret, address: Secret) -> None:
        await self._sign_in.send_callback(state, address)

    async def cancel_sign_in(self, state: Secret) -> None:
        await self._sign_in.cancel(state)

    async def switch_usage(self, on: bool) -> None:
        await self._require(Capability.USAGE)
        await self._usage.switch(on)

    async def usage_state(self) -> UsageState:
        await self._require(Capability.USAGE)
        return await self._usage.state()

    async def subscribe_usage(self) -> UsageSubscription:
        await self._require(Capability.USAGE_SUBSCRIPTION)
        return await self._subscriptions.open()

    async def pop_usage(self, limit: int) -> UsageBatch:
        await self._require(Capability.USAGE)
        return await self._usage.pop(limit)

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        """See the port; judged here, by the key we hold: a key of a client is never shown to the gateway."""
        if self._client.proof.refused:
            return refused()
        decision = self._admission.admit(attempt)
        return decision if not isinstance(decision, Admitted) or await self.key_counts() else refused()

    async def client_address(self, peer: str, forwarded: str) -> str:  # noqa: ARG002 - no proxy is trusted
        """See the port: which proxies a gateway elsewhere trusts says nothing about our clients."""
        return peer

    async def key_counts(self) -> bool:
        return await self._key_check.counts()

    def refusal(self) -> errors.GatewayError | None:
        return self._client.refused()

    async def close(self) -> None:
        await self.pace.close()
        await self._key_check.close()

    async def _require(self, capability: Capability) -> None:
        if capability not in (await self.describe()).capabilities:
            raise errors.Unsupported(capability)

    async def _capabilities(self, release: Release) -> frozenset[Capability]:
        capabilities = set(ALWAYS)
        if release.has(Feature.SECTION_INDEX):
            capabilities.add(Capability.CALL)
        if not release.own:
            capabilities |= {Capability.REPLACE_SECTION, Capability.CLIENT_KEYS, Capability.SIGN_IN}
            if await self._documents.serves_panel():
                capabilities.add(Capability.LOGIN_PAGE)
            return frozenset(capabilities | {token for token, feature in _BY_RELEASE.items() if release.has(feature)})
        capabilities.add(Capability.KEPT_TEXT)
        if await self._documents.profile() != _STOCK:
            capabilities |= {Capability.EXPLAINED_FAILURES, Capability.GUARDED_CALLS}
        paths = {Capability.REPLACE_SECTION: _SECTIONS, Capability.USAGE: _USAGE, Capability.CLIENT_KEYS: KEYS}
        for capability, path in paths.items():
            if await self._exists(path):
                capabilities.add(capability)
        return frozenset(capabilities)

    async def _exists(self, path: str) -> bool:
        try:
            await self._client.read(path)
        except PathUnknown:
            return False
        return True

    async def _measure(self) -> float:
        with OwnDelay() as delay:
            _, seconds = await self._client.timed()
            return max(0.0, seconds - delay.seconds)
