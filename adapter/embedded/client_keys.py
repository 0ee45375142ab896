"""Client keys of the gateway in our own process."""

from collections.abc import Sequence

from gateway.internal.configuration.errors import RevisionConflict
from gateway.internal.operations.changing import Refused
from gateway.internal.operations.settings import client_keys, replace_client_keys
from gateway.internal.runtime import Runtime

from adapter.port import errors
from adapter.privacy.secret import Secret
from adapter.rules.save_refusal import save_refusal

_CHANGED = "The client keys changed since they were read: read them again."


def read(runtime: Runtime) -> tuple[Secret, ...]:
    """Return the keys as the configuration in force has them; see `Configuration.client_keys`."""
    return tuple(Secret(key) for key in client_keys(runtime) or ())


async def replace(runtime: Runtime, keys: Sequence[Secret], expect: Sequence[Secret]) -> None:
    """Replace the keys; see `Configuration.replace_client_keys`. The list's other lines keep their comments."""
    revision = runtime.revision
    if read(runtime) != tuple(expect):
        raise errors.ConflictError(_CHANGED)
    failure: errors.GatewayError
    try:
        await replace_client_keys(runtime, [key.reveal() for key in keys], revision)
    except RevisionConflict:
        failure = errors.ConflictError(_CHANGED)
    except Refused as refused:
        refusal = save_refusal(str(refused))
        failure = errors.Rejected("failed", f"The client keys could not be written: {refused}.")
        if refusal is not None:
            failure = errors.Rejected(refusal.code, refusal.text, refusal.parameters)
    else:
        return
    # outside the handlers, so that nothing the parser quotes travels along
    raise failure
