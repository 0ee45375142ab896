"""The fake gateway itself: every verb of the port, in memory."""

import asyncio
import hmac
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from adapter.clock import Clock, FakeClock
from adapter.fake.sign_in import FakeSignIns
from adapter.fake.state import FakeCredential, FakeState
from adapter.fake.status_updater import FakeStatusUpdater
from adapter.fake.upstream import Reply, Script, UpstreamRequest, reply
from adapter.fake.usage import FakeUsage
from adapter.port import (
    TOKEN_PLACEHOLDER,
    About,
    AccountRef,
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
    NoAnswerKind,
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
from adapter.port.errors import GatewayError
from adapter.port.permission import require_permission
from adapter.privacy.secret import Redactor, Secret
from adapter.rules.entries import entry_value, read_sections
from adapter.rules.entry_edit import entry_of, record_of, section_of, with_fields
from adapter.rules.entry_headers import header_secrets, with_entry_headers
from adapter.rules.identity import Binding
from adapter.rules.known_names import KnownNames
from adapter.rules.redacted_answers import bounded


def prepared(request: OutboundCall, credential: FakeCredential) -> UpstreamRequest:
    """Return what reaches the upstream. Raises Rejected: the call cannot be sent."""
    if not request.method or urlsplit(request.url).scheme not in {"http", "https"}:
        raise errors.Rejected("bad_request", "A call needs a method and an absolute http or https address.")
    header = {name: value.replace(TOKEN_PLACEHOLDER, credential.secret) for name, value in request.header.items()}
    if header != request.header and not credential.secret:
        raise errors.Rejected("token_not_found", "The account holds no credential to send.")
    header = with_entry_headers(header, _own_headers(credential))
    return UpstreamRequest(request.account, request.method.upper(), request.url, header, request.body)


def secrets_of(credential: FakeCredential) -> Iterator[str]:
    """Yield what the upstream must not repeat to us."""
    yield credential.secret
    yield from header_secrets(_own_headers(credential))


def _own_headers(credential: FakeCredential) -> Mapping[str, str]:
    return credential.record.facts.headers if credential.record else {}


FAILURES_TO_BAN = 5
BAN_SECONDS = 1800


class FakeAdmission:
    """Lets the one right key in, from loopback only, and counts failures by peer."""

    def __init__(self, key: str, clock: Clock) -> None:
        self._key = key
        self._clock = clock
        self._failures: dict[str, int] = {}
        self._banned_until: dict[str, float] = {}

    def admit(self, attempt: AdmissionAttempt) -> Admission:
        """Judge one attempt in the stock gateway's order: ban, place, key."""
        seconds = self._banned_until.get(attempt.peer, 0.0) - self._clock.monotonic()
        if seconds > 0:
            return _denied(403, "IP banned due to too many failed attempts. Try again later", math.ceil(seconds))
        if attempt.peer not in {"127.0.0.1", "::1"}:
            return _denied(403, "remote management disabled")
        key = attempt.key.reveal() if attempt.key else ""
        if hmac.compare_digest(key.encode("utf-8", "surrogatepass"), self._key.encode()):
            self._failures.pop(attempt.peer, None)
            return Admitted()
        return self._failed(attempt.peer, "invalid management key" if key else "missing management key")

    def _failed(self, peer: str, text: str) -> Denied:
        count = self._failures.get(peer, 0) + 1
        self._failures[peer] = count % FAILURES_TO_BAN
        if count >= FAILURES_TO_BAN:
            self._banned_until[peer] = self._clock.monotonic() + BAN_SECONDS
        return _denied(401, text)


def _denied(status: int, text: str, retry_after: int | None = None) -> Denied:
    return Denied(status, json.dumps({"error": text}), retry_after)


DEFAULT_KEY: Final = b"an installation key for tests only"
CAPABILITIES: Final = frozenset(Capability) - {Capability.EXACT_RESTORE}


class FakeGateway:
    """A gateway in memory. `text` is a config.yaml, `files` the auth files by name.

    It is bound to `DEFAULT_KEY` until a connection binds it to another; `bound=False` leaves it unbound. Taking a
    capability away makes its verb raise `Unsupported`.
    """

    def __init__(
        self,
        text: str = "",
        files: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        clock: Clock | None = None,
        management_key: str = "management-key",
        capabilities: frozenset[Capability] = CAPABILITIES,
        bound: bool = True,
    ) -> None:
        self.state = FakeState(text, files)
        self.clock = clock or FakeClock()
        self.capabilities = capabilities
        self.upstream: Script = lambda _: reply()
        self.calls: list[OutboundCall] = []
        self.refused: GatewayError | None = None
        """Error that stops every request, as after a ban of the address."""
        self._scripts: dict[AccountRef, Script] = {}
        self._failures: defaultdict[str, list[GatewayError]] = defaultdict(list)
        self._admission = FakeAdmission(management_key, self.clock)
        self._names = KnownNames()
        self._binding = Binding()
        if bound:
            self._binding.bind(DEFAULT_KEY)
        self._default = bound
        self.status_updater = FakeStatusUpdater(self.state)
        self.writes = self.status_updater.writes
        """Number of writes by section, `file` or `config.yaml`."""
        self.usage = FakeUsage(self.clock)
        self.sign_ins = FakeSignIns(self.state)
        self.lossy = Losses()
        """Parts that a write drops."""
        self.brought_back: list[Losses] = []

    def bind(self, installation_key: bytes) -> None:
        """Make fingerprints with this key; the default key gives way, any other does not."""
        if self._default:
            self._binding, self._default = Binding(), False
        self._binding.bind(installation_key)

    def script(self, ref: AccountRef, script: Script | Reply) -> None:
        """Set the answers of one account's upstream: always the same, or by a script."""
        self._scripts[ref] = script if callable(script) else (lambda _: script)

    def fail(self, verb: str, *failures: GatewayError) -> None:
        """Make the next calls of a verb raise these errors, one each, before anything is done."""
        self._failures[verb].extend(failures)

    def lose_contact(self) -> None:
        """Let the next status change be written, but lose the contact before it is read back."""
        self.status_updater.lose_contact = True

    async def describe(self) -> About:
        self._begin("describe")
        return About("fake", "0.1.0", self.capabilities, 0.0)

    async def accounts(self) -> Pool:
        self._begin("accounts")
        accounts = tuple(credential.account for credential in self._credentials())
        self._names.learn(accounts)
        return Pool(self.status_updater.pool_revision(accounts), self.clock.now_ms(), accounts)

    async def set_disabled(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        self._begin("set_disabled", Capability.SET_DISABLED)
        return self.status_updater.switch(changes, self._credentials, self._names)

    async def delete_file(self, file: FileRef, expect: Revision) -> None:
        self._begin("delete_file", Capability.DELETE_FILE)
        self._require_file(file, expect)
        del self.state.files[file.name]
        self.writes["file"] += 1

    async def read_file(self, file: FileRef, expect: Revision) -> Secret:
        self._begin("read_file", Capability.RESTORE_FILE)
        self._require_file(file, expect)
        return Secret(json.dumps(self.state.files[file.name]))

    async def restore_file(self, file: FileRef, content: Secret) -> None:
        self._begin("restore_file", Capability.RESTORE_FILE)
        self.state.restore_file(file.name, content.reveal())
        self.writes["file"] += 1

    async def call(self, request: OutboundCall, *, timeout: float) -> Answer | NoAnswer:  # noqa: ASYNC109 - the port's
        require_permission()
        self._begin("call", Capability.CALL)
        self.calls.append(request)
        credential = self._find(request.account)
        if credential is None or not (credential.account.probeable or credential.account.detached):
            raise errors.UnknownCredential("The account is not live: list the pool again.")
        upstream = prepared(request, credential)
        answer = await self._ask(self._scripts.get(request.account, self.upstream), upstream, timeout)
        return answer if isinstance(answer, NoAnswer) else bounded(answer, Redactor(secrets_of(credential)))

    async def configuration(self) -> Document:
        self._begin("configuration", Capability.CONFIGURATION)
        return Document(Secret(self.state.text), self.state.revision)

    async def write_configuration(self, text: Secret, expect: Revision) -> Revision:
        self._begin("write_configuration", Capability.CONFIGURATION)
        self._expect(expect)
        self.state.replace_text(text.reveal())
        self.writes["config.yaml"] += 1
        return self.state.revision

    async def replace_section(self, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
        self._begin("replace_section", Capability.REPLACE_SECTION)
        self._expect(expect)
        self.status_updater.replace(section, [entry_value(entry) for entry in entries])
        return self.state.revision

    async def client_keys(self) -> tuple[Secret, ...]:
        self._begin("client_keys", Capability.CLIENT_KEYS)
        return tuple(Secret(str(key)) for key in self.state.document.get("api-keys") or ())

    async def replace_client_keys(self, keys: Sequence[Secret], expect: Sequence[Secret]) -> None:
        self._begin("replace_client_keys", Capability.CLIENT_KEYS)
        if await self.client_keys() != tuple(expect):
            raise errors.ConflictError("The client keys changed since they were read: read them again.")
        self.state.replace_document({**self.state.document, "api-keys": [key.reveal() for key in keys]})
        self.writes["api-keys"] += 1

    async def read_entry(self, ref: KeyRef, expect: Revision) -> Entry:
        self._begin("read_entry")
        record = record_of(read_sections(self.state.document), ref, expect)
        return entry_of(self.state.document[section_of(ref).value][record.position])

    async def edit_entry(self, ref: KeyRef, expect: Revision, fields: Entry) -> None:
        self._begin("edit_entry", Capability.REPLACE_SECTION)
        record = record_of(read_sections(self.state.document), ref, expect)
        section = section_of(ref)
        entries = with_fields(section, self.state.document[section.value], record.position, fields)
        self.status_updater.replace(section, [dict(entry) for entry in entries])

    async def request_counts(self) -> Mapping[str, int]:
        return counted_requests((await self.accounts()).accounts)

    async def losses(self) -> Losses:
        return self.lossy

    async def bring_back(self, losses: Losses) -> bool:
        self.brought_back.append(losses)
        return losses.mark == self.lossy.mark

    async def proxy_url(self) -> Secret | None:
        self._begin("proxy_url", Capability.PROXY_URL)
        return self.state.proxy_url

    async def management_access(self) -> ManagementAccess:
        self._begin("management_access", Capability.CONFIGURATION)
        return self.state.management_access

    async def begin_sign_in(self, provider: str) -> SignInBegun:
        self._begin("begin_sign_in", Capability.SIGN_IN)
        return self.sign_ins.begin(provider)

    async def sign_in_state(self, state: Secret) -> SignInState:
        self._begin("sign_in_state")
        return self.sign_ins.state(state)

    async def send_callback(self, state: Secret, address: Secret) -> None:  # noqa: ARG002 - the test knows what it says
        self._begin("send_callback")
        self.sign_ins.finish(state)

    async def cancel_sign_in(self, state: Secret) -> None:
        self._begin("cancel_sign_in")
        self.sign_ins.cancel(state)

    async def switch_usage(self, on: bool) -> None:
        self._begin("switch_usage", Capability.USAGE)
        self.usage.switch(on)

    async def usage_state(self) -> UsageState:
        self._begin("usage_state", Capability.USAGE)
        return self.usage.state()

    async def subscribe_usage(self) -> UsageSubscription:
        self._begin("subscribe_usage", Capability.USAGE_SUBSCRIPTION)
        return self.usage.subscribe()

    async def pop_usage(self, limit: int) -> UsageBatch:
        self._begin("pop_usage", Capability.USAGE)
        return await self.usage.pop(limit)

    async def admit(self, attempt: AdmissionAttempt) -> Admission:
        self._begin("admit", Capability.ADMISSION)
        return self._admission.admit(attempt)

    async def client_address(self, peer: str, forwarded: str) -> str:  # noqa: ARG002 - no proxy is trusted
        return peer

    async def key_counts(self) -> bool:
        return True

    def refusal(self) -> GatewayError | None:
        return self.refused

    async def _ask(self, script: Script, request: UpstreamRequest, seconds: float) -> Reply:
        started = self.clock.monotonic()
        try:
            async with asyncio.timeout(seconds):
                answered = script(request)
                return answered if isinstance(answered, Answer | NoAnswer) else await answered
        except TimeoutError:
            return NoAnswer(NoAnswerKind.TIMEOUT, "no answer in time", self.clock.monotonic() - started)

    def _begin(self, verb: str, needs: Capability | None = None) -> None:
        if needs is not None and needs not in self.capabilities:
            raise errors.Unsupported(needs)
        if self._failures[verb]:
            raise self._failures[verb].pop(0)

    def _credentials(self) -> tuple[FakeCredential, ...]:
        return self.state.credentials(self._binding.fingerprints())

    def _find(self, ref: AccountRef) -> FakeCredential | None:
        return self.state.find(ref, self._binding.fingerprints())

    def _require_file(self, file: FileRef, expect: Revision) -> None:
        account = self._find(file)
        if account is None or file.name not in self.state.files:
            raise errors.NotFound(f"There is no auth file {file.name!r}: list the pool again.")
        if account.account.revision != expect:
            raise errors.ConflictError(f"The auth file {file.name!r} changed since it was listed: look at it again.")

    def _expect(self, expect: Revision) -> None:
        if expect != self.state.revision:
            raise errors.ConflictError("The configuration changed since it was read: read it again.")
