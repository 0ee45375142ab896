"""Changes of config.yaml: read, decide, write."""

from collections.abc import Callable, Sequence

from gateway.internal.configuration.edits import Edit
from gateway.internal.configuration.errors import ConfigurationError, EditRefused, RevisionConflict
from gateway.internal.configuration.model import Configuration
from gateway.internal.runtime import Runtime

_ATTEMPTS = 3


class Refused(Exception):  # noqa: N818 - it names what happened
    """Nothing was changed; ``str()`` is the text of the management answer.

    Attributes:
        status: HTTP status of the management answer.
    """

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        super().__init__(text)


async def change(runtime: Runtime, decide: Callable[[Configuration], Sequence[Edit]], expect: str | None = None) -> str:
    """Change config.yaml and reload; return the new revision.

    Args:
        decide: Returns the edits for a configuration, or raises ``Refused``; without edits nothing is written. It is
            called again when the file changed in the meantime.
        expect: The revision the file must have.

    Raises:
        Refused: The change is impossible, or the file could not be saved (500); nothing was changed.
        RevisionConflict: The file has another revision than expected.
    """
    return await runtime.exclusively(lambda: _change(runtime, decide, expect))


async def _change(runtime: Runtime, decide: Callable[[Configuration], Sequence[Edit]], expect: str | None) -> str:
    conflict: RevisionConflict | None = None
    for _ in range(_ATTEMPTS):
        broken = await runtime.refresh()
        if broken is not None:
            raise _unsaved(str(broken))
        if expect is not None and runtime.revision != expect:
            raise RevisionConflict(runtime.revision)
        edits = decide(runtime.configuration)
        try:
            if edits:
                await _write(runtime, edits)
        except RevisionConflict as meanwhile:
            conflict = meanwhile
        else:
            return runtime.revision
    raise _unsaved(str(conflict))


async def _write(runtime: Runtime, edits: Sequence[Edit]) -> None:
    try:
        await runtime.write_edits(edits)
    except (EditRefused, ConfigurationError) as error:
        raise _unsaved(str(error)) from None
    except OSError as error:
        raise _unsaved((error.strerror or "unknown error").lower()) from None


def _unsaved(problem: str) -> Refused:
    return Refused(500, f"failed to save config: {problem}")
