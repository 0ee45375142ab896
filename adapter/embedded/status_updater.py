"""Status changes through the gateway's own operation: one write for a batch, candidate names after a not-found only."""

from collections.abc import Mapping, Sequence

from gateway.internal.configuration.model import CompatProvider, Profile
from gateway.internal.operations.status import Outcome as Became
from gateway.internal.operations.status import StatusBefore, StatusChange, StatusResult, set_disabled
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime

from adapter.embedded.pool import compatible_switch, is_compatible
from adapter.port import Applied, Before, Change, Conflict, Missing, Outcome, Refused, Revision, Uncertain, Unchanged
from adapter.rules.known_names import KnownNames
from adapter.rules.save_refusal import save_refusal
from adapter.rules.switching import last_wins, refusal


class EmbeddedStatusUpdater:
    """Carries out status changes on one runtime."""

    def __init__(self, runtime: Runtime, names: KnownNames) -> None:
        self._runtime = runtime
        self._names = names

    async def switch(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        batch = last_wins(changes)
        providers = {provider.position: provider for provider in self._runtime.configuration.compat}
        settled: list[Outcome | None] = [self._settled(change, providers) for change in batch.changes]
        undecided = [place for place, outcome in enumerate(settled) if outcome is None]
        waiting = {place: list(self._names.of(batch.changes[place].ref)) for place in undecided}
        while waiting:
            requests = [(place, names.pop(0)) for place, names in waiting.items()]
            results = await set_disabled(
                self._runtime, [_status_change(name, batch.changes[place]) for place, name in requests]
            )
            for (place, _), result in zip(requests, results, strict=True):
                if result.outcome is Became.MISSING and waiting[place]:
                    continue
                settled[place] = self._outcome(result)
                del waiting[place]
        return tuple(settled[place] or Missing() for place in batch.places)

    def _settled(self, change: Change, providers: Mapping[int, CompatProvider]) -> Refused | Conflict | None:
        """Settle changes that are never requested: providers with several keys, and those the stock profile lacks."""
        credential = self._credential(change)
        if credential is None:
            return None
        stock = self._runtime.configuration.management_profile is Profile.STOCK
        provider = providers.get(credential.position) if is_compatible(credential) else None
        if provider is not None:
            keys = [key.api_key for key in provider.keys]
            refused = refusal(*compatible_switch(provider.name, keys, stock=stock), keys)
            if refused is not None:
                return refused
        # the stock profile of the operation does not compare revisions
        if stock and change.expect is not None and change.expect != credential.revision:
            return Conflict(Revision(credential.revision))
        return None

    def _credential(self, change: Change) -> Credential | None:
        for name in self._names.of(change.ref):
            credentials = self._runtime.snapshot.named(name)
            if credentials:
                return credentials[0] if len(credentials) == 1 else None
        return None

    def _outcome(self, result: StatusResult) -> Outcome:
        match result.outcome:
            case Became.APPLIED:
                return Applied(_before(result), Revision(result.revision))
            case Became.UNCHANGED:
                return Unchanged()
            case Became.CONFLICT:
                return Conflict(Revision(result.revision))
            case Became.REFUSED:
                return Refused(result.code, result.error)
            case Became.FAILED:
                return self._failed(result)
        return Missing()

    def _failed(self, result: StatusResult) -> Outcome:
        """Tell a write that was not made from one that was made and is not there: only the latter is uncertain."""
        credentials = self._runtime.snapshot.named(result.credential_id)
        untouched = len(credentials) == 1 and credentials[0].disabled is _before(result).disabled
        if not untouched:
            return Uncertain(result.error)
        return save_refusal(result.error) or Refused("failed", result.error)


def _status_change(name: str, change: Change) -> StatusChange:
    restore, before = None, change.restore
    if before is not None:
        restore = StatusBefore(before.disabled, before.excluded_models, before.written is not False, before.back)
    return StatusChange(name=name, disabled=change.disabled, expect=change.expect or "", restore=restore)


def _before(result: StatusResult) -> Before:
    if result.before is None:
        return Before(disabled=not result.disabled)
    before = result.before
    return Before(before.disabled, before.excluded_models, before.written, before.back)
