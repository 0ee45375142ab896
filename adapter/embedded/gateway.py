"""The embedded gateway: every verb of the port over the gateway's operations."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from gateway import __version__
from gateway.connection_limits import api_call_connections
from gateway.internal.admission.address import claimed_address, client_address
from gateway.internal.operations import admission
from gateway.internal.runtime import Runtime

from adapter.clock import Clock, SystemClock
from adapter.embedded import client_keys, documents
from adapter.embedded.calling import SnapshotKeys, call_upstream
from adapter.embedded.files import read_file, remove_file, restore_file
from adapter.embedded.pool import PoolReader
from adapter.embedded.status_updater import EmbeddedStatusUpdater
from adapter.embedded.usage import EmbeddedUsageQueue
from adapter.port import (
    About,
    Admission,
    AdmissionAttempt,
    Admitted,
    Answer,
    Capability,
    Change,
    Denied,
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
    Skipped,
    UsageBatch,
    UsageState,
    UsageSubscription,
    errors,
)
from adapter.port.accounts import counted_requests
from adapter.port.permission import require_permission
from adapter.privacy.secret import Secret
from adapter.rules.config_text import config_values
from adapter.rules.entries import read_sections
from adapter.rules.entry_edit import entry_of, record_of, section_of, with_fields
from adapter.rules.identity import Binding
from adapter.rules.known_names import KnownNames

NAME: Final = "poolkeeper-gateway"
_FORWARDED: Final = "x-forwarded-for"
CAPABILITIES: Final = frozenset(Capability) - {
    Capability.USAGE_SUBSCRIPTION,
    Capability.LOGIN_PAGE,
    Capability.SIGN_IN,
}
"""Capabilities of this version of the gateway. Its queue is popped in this process, so nothing need be sent."""


_NO_CREDENTIAL: Final = "it holds no JSON object, so that the gateway makes no credential of it"


class EmbeddedGateway:
    """A `Gateway` in our own process. The runtime must have started before anything but `describe` is asked."""

    def __init__(self, runtime: Runtime, binding: Binding, clock: Clock | None = None) -> None:
        self._runtime = runtime
        self._keys = SnapshotKeys()
        self._binding = binding
        self._clock = clock or SystemClock()
        self._names = KnownNames()
        self._pool = PoolReader()
        self._status_updater = EmbeddedStatusUpdater(runtime, self._names)
        self._usage = EmbeddedUsageQueue(runtime, self._clock)

    async def describe(self) -> About:
        """See the port; a call costs nothing fixed here."""
        return About(NAME, __version__, CAPABILITIES, 0.0, api_call_connections())

    async def accounts(self) -> Pool:
        """See the port; the records are made in a thread, because a large pool takes longer than a turn of the loop."""
        runtime, fingerprints = self._runtime, self._binding.fingerprints()
        pool = await asyncio.to_thread(
            self._pool.read,
            runtime.snapshot,
            runtime.configuration,
            fingerprints,
            runtime.activity.totals,
            self._clock.now_ms(),
        )
        self._names.learn(pool.accounts)
        return replace(pool, skipped=(*pool.skipped, *await self._unreadable(pool)))

    async def _unreadable(self, pool: Pool) -> tuple[Skipped, ...]:
        """Return the files of auth-dir of which the gateway makes no credential; none while it cannot be listed."""
        try:
            names = await self._runtime.file_names()
        except OSError:
            return ()
        read = {account.file_name for account in pool.accounts}
        return tuple(Skipped(name, _NO_CREDENTIAL) for name in names if name not in read)

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        self._binding.fingerprints()
        return await self._status_updater.switch(changes)

    async def delete_file(self, file: FileRef, expect: Revision) -> None:
        self._binding.fingerprints()
        await remove_file(self._runtime, file, expect)

    async def read_file(self, file: FileRef, expect: Revision) -> Secret:
        self._binding.fingerprints()
        return await read_file(self._runtime, file, expect)

    async def restore_file(self, file: FileRef, content: Secret) -> None:
        self._binding.fingerprints()
        await restore_file(self._runtime, file, content)

    async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - the port's
        require_permission()
        return await call_upstream(self._runtime, request, timeout, self._keys)

    async def configuration(self) -> Document:
        return await documents.read(self._runtime)

    async def write_configuration(self, text: Secret, expect: Revision) -> Revision:
        return await documents.write(self._runtime, text, expect)

    async def replace_section(self, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
        return await documents.replace_section(self._runtime, section, entries, expect)

    async def request_counts(self) -> Mapping[str, int]:
        return counted_requests((await self.accounts()).accounts)

    async def client_keys(self) -> tuple[Secret, ...]:
        return client_keys.read(self._runtime)

    async def replace_client_keys(self, keys: Sequence[Secret], expect: Sequence[Secret]) -> None:
        require_permission()
        await client_keys.replace(self._runtime, keys, expect)

    async def read_entry(self, ref: KeyRef, expect: Revision) -> Entry:
        values, position, _ = await self._entry(ref, expect)
        return entry_of(values[position])

    async def edit_entry(self, ref: KeyRef, expect: Revision, fields: Entry) -> None:
        values, position, document = await self._entry(ref, expect)
        section = section_of(ref)
        entries = [entry_of(entry) for entry in with_fields(section, values, position, fields)]
        await self.replace_section(section, entries, document.revision)

    async def _entry(self, ref: KeyRef, expect: Revision) -> tuple[Sequence[Mapping[str, Any]], int, Document]:
        document = await self.configuration()
        account = next((account for account in (await self.accounts()).accounts if account.ref == ref), None)
        if account is not None and account.revision != expect:
            raise errors.ConflictError("The entry changed since it was listed: look at it again.")
        values = await asyncio.to_thread(config_values, document.text.reveal())
        return values[section_of(ref).value], record_of(read_sections(values), ref, None).position, document

    async def losses(self) -> Losses:
        """See the port; this gateway edits the text of its file."""
        return Losses()

    async def bring_back(self, losses: Losses) -> bool:  # noqa: ARG002 - nothing was lost
        return False

    async def proxy_url(self) -> Secret | None:
        proxy = self._runtime.configuration.proxy_url
        return Secret(proxy) if proxy else None

    async def management_access(self) -> ManagementAccess:
        """See the port; nothing is read, because the gateway has parsed the file already."""
        management = self._runtime.configuration.management
        return ManagementAccess(Secret(management.secret_key), management.allow_remote)

    async def begin_sign_in(self, provider: str) -> SignInBegun:  # noqa: ARG002 - see the port
        raise errors.Unsupported(Capability.SIGN_IN)

    async def sign_in_state(self, state: Secret) -> SignInState:  # noqa: ARG002 - see the port
        raise errors.Unsupported(Capability.SIGN_IN)

    async def send_callback(self, state: Secret, address: Secret) -> None:  # noqa: ARG002 - see the port
        raise errors.Unsupported(Capability.SIGN_IN)

    async def cancel_sign_in(self, state: Secret) -> None:  # noqa: ARG002 - see the port
        raise errors.Unsupported(Capability.SIGN_IN)

    async def switch_usage(self, on: bool) -> None:
        await self._usage.switch(on)

    async def usage_state(self) -> UsageState:
        return self._usage.state()

    async def subscribe_usage(self) -> UsageSubscription:
        raise errors.Unsupported(Capability.USAGE_SUBSCRIPTION)

    async def pop_usage(self, limit: int) -> UsageBatch:
        return await self._usage.pop(limit)

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        """See the port; judged by the gateway's own rules and ban table, which its own management paths share."""
        # as a header carries it, and as the gateway expects it: the bytes of the text, one character each
        shown = attempt.key.reveal().encode("utf-8", "surrogatepass").decode("latin-1") if attempt.key else ""
        header = {"x-management-key": shown} if shown else {}
        if attempt.fetch_site:
            header["sec-fetch-site"] = attempt.fetch_site
        if attempt.forwarded:
            header[_FORWARDED] = attempt.forwarded
        decision = await admission.admit(self._runtime, header, attempt.peer)
        if isinstance(decision, admission.Admitted):
            return Admitted()
        body = json.dumps(dict(decision.body)) if decision.body else ""
        return Denied(decision.status, body, decision.retry_after)

    async def client_address(self, peer: str, forwarded: str) -> str:
        """See the port; by the gateway's own rule, whose profile and `trusted-proxies` decide."""
        rules, header = admission.rules(self._runtime), {_FORWARDED: forwarded}
        believed = (
            claimed_address(peer, header) if rules.trust_everyone else client_address(peer, header, rules.trusted)
        )
        return believed or peer

    async def key_counts(self) -> bool:
        return True

    def refusal(self) -> errors.GatewayError | None:
        return None
