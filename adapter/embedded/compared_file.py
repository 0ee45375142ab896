"""Comparison of an auth file with the listing it was chosen from, under the gateway's own lock."""

from pathlib import Path

from gateway.internal.runtime import Runtime

from adapter.embedded.calling import live_credential
from adapter.port import FileRef, Revision, errors


async def compared_file(runtime: Runtime, file: FileRef, expect: Revision) -> Path:
    """Return the place of an auth file that is as it was when it was listed.

    Raises:
        NotFound: it is there no more.
        ConflictError: it has changed.
    """
    await runtime.refresh()
    credential = live_credential(runtime, file)
    if credential is None or credential.path is None:
        raise errors.NotFound(f"There is no auth file {file.name!r}: list the pool again.")
    if credential.revision != expect:
        raise errors.ConflictError(f"The auth file {file.name!r} changed since it was listed: look at it again.")
    return credential.path
