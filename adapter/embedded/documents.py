"""The configuration of the gateway in our own process: the text as stored, its replacement, and single sections."""

from collections.abc import Sequence

from gateway.internal.configuration.errors import ConfigurationError, RevisionConflict
from gateway.internal.configuration.sections import Section as GatewaySection
from gateway.internal.operations import sections
from gateway.internal.operations.changing import Refused
from gateway.internal.operations.configuration import read_document, write_text
from gateway.internal.runtime import Runtime

from adapter.port import Document, Entry, Revision, Section, errors
from adapter.privacy.secret import Secret
from adapter.rules.entries import entry_value

_CHANGED = "The configuration changed since it was read: read it again."
_REFUSED_ENTRY = 400


async def read(runtime: Runtime) -> Document:
    """Read config.yaml; see `Configuration.configuration`."""
    try:
        document = await read_document(runtime)
    except FileNotFoundError:
        raise errors.NotFound("The gateway has no configuration file any more: restore it.") from None
    except OSError as error:
        raise errors.Unavailable(f"The configuration cannot be read ({error.strerror}).") from None
    except ConfigurationError as error:
        raise errors.Unavailable(f"The configuration cannot be read: {error.problem}.") from None
    return Document(Secret(document.text), Revision(document.revision))


async def write(runtime: Runtime, text: Secret, expect: Revision) -> Revision:
    """Replace config.yaml; see `Configuration.write_configuration`."""
    failure: errors.GatewayError
    try:
        return Revision(await write_text(runtime, text.reveal(), expect))
    except RevisionConflict:
        failure = errors.ConflictError(_CHANGED)
    except ConfigurationError as error:
        place = f" (line {error.line})" if error.line else ""
        code = "invalid_yaml" if error.syntax else "invalid_config"
        failure = errors.Rejected(code, f"The text is no valid configuration{place}: {error.problem}.")
    except OSError as error:
        text_of = f"The configuration cannot be written ({error.strerror}): check its permissions and the disk."
        failure = errors.Unavailable(text_of, applied="maybe")
    # outside the handlers, so that nothing the parser quotes travels along
    raise failure


async def replace_section(runtime: Runtime, section: Section, entries: Sequence[Entry], expect: Revision) -> Revision:
    """Replace one section; see `Configuration.replace_section`. Unchanged entries keep their bytes and comments."""
    values = [entry_value(entry) for entry in entries]
    failure: errors.GatewayError
    try:
        return Revision(await sections.replace_section(runtime, GatewaySection(section.value), values, expect))
    except RevisionConflict:
        failure = errors.ConflictError(_CHANGED)
    except Refused as refused:
        if refused.status == _REFUSED_ENTRY:
            failure = errors.Rejected("invalid_entry", f"The gateway takes no such entries: {refused}.")
        else:
            failure = errors.Unavailable(f"The section could not be written: {refused}.", applied="maybe")
    raise failure
