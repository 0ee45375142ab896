"""Persistent status changes: disabling and enabling credentials."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gateway.internal.configuration.applying import EntryChange
from gateway.internal.configuration.errors import ConfigurationError, EditRefused, RevisionConflict
from gateway.internal.configuration.inverse import Inverse
from gateway.internal.configuration.model import Profile
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.file_switch import switched
from gateway.internal.operations.switching import (
    PATTERN,
    VIA_MODELS,
    VIA_PROVIDER,
    Entries,
    Outcome,
    StatusBefore,
    StatusChange,
    StatusResult,
    Target,
    entries_of,
    entry_edits,
    is_written,
    refusal,
)
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime

_ATTEMPTS = 3
_WRITTEN_BY_OTHERS = "failed to save config: somebody else writes it all the time; try again when that is over"

__all__ = ["Outcome", "StatusBefore", "StatusChange", "StatusResult", "set_disabled"]


@dataclass(frozen=True, slots=True)
class _Wish:
    """A possible change; ``disabled`` and ``restore`` come from the last change of the same target."""

    credential: Credential
    target: Target
    disabled: bool
    before: StatusBefore
    restore: StatusBefore | None = None

    @property
    def written(self) -> bool | None:
        """Return whether an enabled credential shall have a switch; None: unspecified."""
        return None if self.restore is None else self.restore.written

    @property
    def back(self) -> Inverse | None:
        """Inverse of an earlier change, to the character."""
        return None if self.restore is None else Inverse.decode(self.restore.back)


@dataclass(slots=True)
class _Done:
    """Results of writing: problems and inverses, by target."""

    problems: dict[Target, str]
    inverses: dict[Target, Inverse]

    def add(self, other: "_Done") -> None:
        self.problems |= other.problems
        self.inverses |= other.inverses


async def set_disabled(runtime: Runtime, changes: Sequence[StatusChange]) -> tuple[StatusResult, ...]:
    """Switch credentials; one write of config.yaml and one reload for the whole batch.

    An impossible change never stops the others, and of several changes to one credential the last wins. Cancelling the
    caller waits for a write in progress.

    Returns:
        One result for each change, in the order of the input, after reload and read-back.
    """
    return await runtime.exclusively(lambda: _switch(runtime, changes))


async def _switch(runtime: Runtime, changes: Sequence[StatusChange]) -> tuple[StatusResult, ...]:
    for remaining_attempts in reversed(range(_ATTEMPTS)):
        broken = await runtime.refresh()
        entries = entries_of(runtime.configuration)
        decided = [_decide(runtime, entries, change) for change in changes]
        wishes = {wish.target: wish for wish in decided if isinstance(wish, _Wish)}
        in_sections = [wish for wish in wishes.values() if wish.target.section]
        try:
            done = await _switch_entries(runtime, entries, in_sections, broken)
        except RevisionConflict:
            if remaining_attempts:
                continue
            done = _Done({wish.target: _WRITTEN_BY_OTHERS for wish in in_sections}, {})
        break
    for wish in wishes.values():
        if not wish.target.section and wish.credential.disabled != wish.disabled:
            done.add(await _switch_file(runtime, wish))
    await runtime.refresh()
    states = {Target.of(item): item for item in (*runtime.snapshot.dormant, *runtime.snapshot.credentials)}
    return tuple(
        _result(replace(item, disabled=wishes[item.target].disabled), states, done) if isinstance(item, _Wish) else item
        for item in decided
    )


def _decide(runtime: Runtime, entries: Entries, change: StatusChange) -> _Wish | StatusResult:
    credentials = runtime.snapshot.named(change.name, change.auth_index)
    if runtime.configuration.management_profile is Profile.STOCK:
        credentials = tuple(
            candidate for candidate in credentials if change.name in {candidate.id, candidate.file_name}
        )[:1]
    refused = refusal(change, credentials, runtime.configuration, entries)
    if len(credentials) != 1:
        return refused or StatusResult(Outcome.MISSING, change.disabled)
    (credential,) = credentials
    before = StatusBefore(credential.disabled, credential.excluded_models, is_written(credential, entries))
    if refused is not None:
        return replace(refused, before=before)
    return _Wish(credential, Target.of(credential), change.disabled, before, change.restore)


async def _switch_entries(
    runtime: Runtime, entries: Entries, wishes: Iterable[_Wish], broken: ConfigurationError | None
) -> _Done:
    """Write all changes of config.yaml at once.

    Raises:
        RevisionConflict: The file changed in the meantime; nothing was written.
    """
    changes = {
        wish.target: EntryChange((wish.target.section.value, wish.target.position), tuple(edits), wish.back)
        for wish in wishes
        if wish.target.section
        and (edits := entry_edits(wish.target, entries, disabled=wish.disabled, written=wish.written))
    }
    if not changes:
        return _Done({}, {})
    if broken is not None:
        return _Done(dict.fromkeys(changes, f"failed to save config: {broken}"), {})
    try:
        return await _write(runtime, changes)
    except EditRefused:
        return await _one_by_one(runtime, changes)
    except (ConfigurationError, OSError) as error:
        return _Done(dict.fromkeys(changes, f"failed to save config: {error}"), {})


async def _write(runtime: Runtime, changes: Mapping[Target, EntryChange]) -> _Done:
    inverses = await runtime.change_entries(list(changes.values()))
    places = {change.entry: target for target, change in changes.items()}
    return _Done({}, {places[entry]: inverse for entry, inverse in inverses.items() if entry in places})


async def _one_by_one(runtime: Runtime, changes: Mapping[Target, EntryChange]) -> _Done:
    """Write the changes of a batch one by one, so that a refused one does not stop the others."""
    done = _Done({}, {})
    for target, change in changes.items():
        try:
            done.add(await _write(runtime, {target: change}))
        except EditRefused as error:
            done.problems[target] = f"failed to update config api key: {error}"
        except (RevisionConflict, ConfigurationError, OSError) as error:
            done.problems[target] = f"failed to save config: {error}"
    return done


async def _switch_file(runtime: Runtime, wish: _Wish) -> _Done:
    path = wish.credential.path
    if path is None:
        return _Done({}, {})
    try:
        content = await runtime.read_file(path)
        change = switched(content, disabled=wish.disabled, written=wish.written is not False, back=wish.back)
        if change is None:
            return _Done({wish.target: "failed to update auth: the file is not a JSON object any more"}, {})
        await runtime.write_file(path, change.content)
    except OSError as error:
        return _Done({wish.target: f"failed to update auth: {error.strerror}"}, {})
    return _Done({}, {} if change.inverse is None else {wish.target: change.inverse})


def _result(wish: _Wish, states: Mapping[Target, Credential], done: _Done) -> StatusResult:
    credential, now = wish.credential, states.get(wish.target)
    problem = done.problems.get(wish.target, "")
    if not problem and (now is None or now.disabled != wish.disabled):
        problem = "failed to update auth: the change did not last, somebody else changed the file at the same time"
    if problem:
        return StatusResult(
            Outcome.FAILED,
            wish.disabled,
            500,
            problem,
            "failed",
            credential.id,
            wish.before,
            now.revision if now else "",
        )
    section, inverse = credential.section, done.inverses.get(wish.target)
    return StatusResult(
        Outcome.UNCHANGED if credential.disabled == wish.disabled else Outcome.APPLIED,
        wish.disabled,
        credential_id=credential.id,
        before=wish.before if inverse is None else replace(wish.before, back=inverse.encode()),
        revision=now.revision if now else "",
        via=("" if section is None else VIA_PROVIDER if section is Section.COMPAT else VIA_MODELS),
        excluded_pattern=PATTERN if section not in {None, Section.COMPAT} else "",
    )
