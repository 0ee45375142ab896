"""Calls upstream through the gateway's own operation, with the credential kept inside."""

from collections.abc import Iterator, Mapping

from gateway.internal.operations.calls import CallAnswer, CallFailure, CallRefused, CallRequest, api_call
from gateway.internal.operations.calls import UnknownCredential as NoSuchIndex
from gateway.internal.pool.credential import Credential
from gateway.internal.pool.snapshot import PoolSnapshot
from gateway.internal.runtime import Runtime

from adapter.embedded.pool import ref_of
from adapter.port import AccountRef, Answer, FileRef, NoAnswer, NoAnswerKind, OutboundCall, errors
from adapter.privacy.disclosure import PoolKeys
from adapter.privacy.secret import Redactor, secrets_in
from adapter.rules.entry_headers import header_secrets, with_entry_headers, with_literal_key
from adapter.rules.redacted_answers import bounded


class SnapshotKeys:
    """Prepares the keys of a snapshot when they are first asked for."""

    def __init__(self) -> None:
        self._made: tuple[PoolSnapshot, PoolKeys] | None = None

    def of(self, snapshot: PoolSnapshot) -> PoolKeys:
        """Return the keys of a snapshot, those of entries that are switched off included."""
        if self._made is None or self._made[0] is not snapshot:
            credentials = (*snapshot.credentials, *snapshot.dormant)
            self._made = (snapshot, PoolKeys(credential.api_key for credential in credentials if credential.api_key))
        return self._made[1]


async def call_upstream(
    runtime: Runtime, request: OutboundCall, seconds: float, keys: SnapshotKeys
) -> Answer | NoAnswer:
    """Send one call; see `Calls.call`."""
    credential, call = _prepared(runtime, request)
    try:
        outcome = await api_call(runtime, call, seconds)
    except NoSuchIndex:
        raise errors.UnknownCredential("The account is not live any more: list the pool again.") from None
    except CallRefused as refused:
        text = str(refused)
        raise errors.Rejected(text.replace(" ", "_"), f"The gateway did not send the call: {text}.") from None
    if isinstance(outcome, CallFailure):
        kind = NoAnswerKind(outcome.kind.value)
        if kind is NoAnswerKind.UNKNOWN and outcome.reading:
            kind = NoAnswerKind.UNREADABLE
        return NoAnswer(kind, outcome.detail, outcome.elapsed)
    return _answer(outcome, credential, keys.of(runtime.snapshot))


def _prepared(runtime: Runtime, request: OutboundCall) -> tuple[Credential, CallRequest]:
    """Return the credential of a call and the call as the gateway takes it, for a dormant one with its literal key."""
    credential = live_credential(runtime, request.account)
    if credential is not None:
        header = with_entry_headers(request.header, _own_headers(credential))
        call = CallRequest(request.method, request.url, credential.auth_index, header, request.body)
        return credential, call
    dormant = next(
        (credential for credential in runtime.snapshot.dormant if ref_of(credential) == request.account), None
    )
    if dormant is None:
        raise errors.UnknownCredential("The account is not live: list the pool again. Nothing was sent.")
    header = with_entry_headers(with_literal_key(request.header, dormant.api_key), _own_headers(dormant))
    return dormant, CallRequest(
        request.method, request.url, header=header, data=request.body, proxy_url=dormant.proxy_url
    )


def _own_headers(credential: Credential) -> Mapping[str, str]:
    """Return the headers of an entry; those of a file are no part of its listing, and so of no call."""
    return dict(credential.headers) if credential.api_key else {}


def live_credential(runtime: Runtime, ref: AccountRef) -> Credential | None:
    """The credential a reference names, if the gateway can use it now."""
    credential = runtime.snapshot.by_id(ref.name if isinstance(ref, FileRef) else ref.entry_id)
    return credential if credential is not None and ref_of(credential) == ref else None


def _answer(outcome: CallAnswer, credential: Credential, pool: PoolKeys) -> Answer:
    answer = Answer(outcome.status, dict(outcome.header), outcome.text, outcome.truncated, outcome.elapsed)
    return bounded(answer, Redactor(secrets_of(credential)), pool)


def secrets_of(credential: Credential) -> Iterator[str]:
    """Yield the secrets of a credential: its key, and every field of its file that is named like a secret."""
    if credential.api_key:
        yield credential.api_key
        yield from header_secrets(_own_headers(credential))
    yield from secrets_in(credential.metadata)
