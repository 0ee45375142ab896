"""Switching credentials on and off, persistently."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gateway.internal.configuration.edits import Edit
from gateway.internal.configuration.errors import ConfigurationError, EditRefused, RevisionConflict
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.outcome import Outcome, StatusBefore, StatusChange, StatusResult
from gateway.internal.operations.switching import (
    PATTERN,
    VIA_MODELS,
    VIA_PROVIDER,
    Target,
    entry_edits,
    file_content,
    refusal,
)
from gateway.internal.pool.credential import Credential
from gateway.internal.runtime import Runtime

__all__ = ["Outcome", "StatusBefore", "StatusChange", "StatusResult", "set_disabled"]


@dataclass(frozen=True, slots=True)
class _Wish:
    """A change that can be made; ``disabled`` is what the last change to the same target says."""

    credential: Credential
    target: Target
    disabled: bool


async def set_disabled(runtime: Runtime, changes: Sequence[StatusChange]) -> tuple[StatusResult, ...]:
    """Switch credentials; one write of config.yaml and one reload for the whole batch.

    A change that cannot be made never stops the others. Cancelling the caller waits for a write in progress.

    Args:
        runtime: The live gateway.
        changes: What is wished, in order. Of several changes to one credential the last wins.

    Returns:
        One result for each change, in the order of the input, after reload and read-back.
    """
    return await runtime.exclusively(lambda: _switch(runtime, changes))


async def _switch(runtime: Runtime, changes: Sequence[StatusChange]) -> tuple[StatusResult, ...]:
    broken = await runtime.refresh()
    decided = [_decide(runtime, change) for change in changes]
    wishes = {wish.target: wish for wish in decided if isinstance(wish, _Wish)}
    problems = await _switch_entries(runtime, [wish for wish in wishes.values() if wish.target.section], broken)
    for wish in wishes.values():
        if not wish.target.section and wish.credential.disabled != wish.disabled:
            problems |= await _switch_file(runtime, wish)
    await runtime.refresh()
    states = {Target.of(each): each for each in (*runtime.snapshot.dormant, *runtime.snapshot.credentials)}
    return tuple(
        _result(replace(each, disabled=wishes[each.target].disabled), states, problems)
        if isinstance(each, _Wish)
        else each
        for each in decided
    )


def _decide(runtime: Runtime, change: StatusChange) -> _Wish | StatusResult:
    found = runtime.snapshot.named(change.name, change.auth_index)
    refused = refusal(change, found, runtime.configuration)
    if refused is None:
        return _Wish(found[0], Target.of(found[0]), change.disabled)
    if len(found) != 1:
        return refused
    return replace(refused, before=_before(found[0]))


async def _switch_entries(
    runtime: Runtime, wishes: Iterable[_Wish], broken: ConfigurationError | None
) -> dict[Target, str]:
    """Write all wishes about config.yaml at once; return what went wrong, for each target."""
    edits = {
        wish.target: edits
        for wish in wishes
        if (edits := entry_edits(wish.target, runtime.configuration, disabled=wish.disabled))
    }
    if not edits:
        return {}
    if broken is not None:
        return dict.fromkeys(edits, f"failed to save config: {broken}")
    try:
        await runtime.write_edits([edit for group in edits.values() for edit in group])
    except EditRefused:
        return await _one_by_one(runtime, edits)
    except (RevisionConflict, ConfigurationError, OSError) as error:
        return dict.fromkeys(edits, f"failed to save config: {error}")
    return {}


async def _one_by_one(runtime: Runtime, edits: Mapping[Target, Sequence[Edit]]) -> dict[Target, str]:
    """Write the edits of a batch singly, so that the one that is refused does not stop the others."""
    problems: dict[Target, str] = {}
    for target, group in edits.items():
        try:
            await runtime.write_edits(group)
        except EditRefused as error:
            problems[target] = f"failed to update config api key: {error}"
        except (RevisionConflict, ConfigurationError, OSError) as error:
            problems[target] = f"failed to save config: {error}"
    return problems


async def _switch_file(runtime: Runtime, wish: _Wish) -> dict[Target, str]:
    path = wish.credential.path
    if path is None:
        return {}
    try:
        content = file_content(await runtime.read_file(path), disabled=wish.disabled)
        if content is None:
            return {wish.target: "failed to update auth: the file is not a JSON object any more"}
        await runtime.write_file(path, content)
    except OSError as error:
        return {wish.target: f"failed to update auth: {error.strerror}"}
    return {}


def _result(wish: _Wish, states: Mapping[Target, Credential], problems: Mapping[Target, str]) -> StatusResult:
    credential, now = wish.credential, states.get(wish.target)
    problem = problems.get(wish.target, "")
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
            _before(credential),
            now.revision if now else "",
        )
    section = credential.section
    return StatusResult(
        Outcome.UNCHANGED if credential.disabled == wish.disabled else Outcome.APPLIED,
        wish.disabled,
        credential_id=credential.id,
        before=_before(credential),
        revision=now.revision if now else "",
        via=("" if section is None else VIA_PROVIDER if section is Section.COMPAT else VIA_MODELS),
        excluded_pattern=PATTERN if section not in {None, Section.COMPAT} else "",
    )


def _before(credential: Credential) -> StatusBefore:
    return StatusBefore(credential.disabled, credential.excluded_models)
