"""Reading and replacing config.yaml as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.fields import ENTRIES
from gateway.internal.configuration.model import Configuration
from gateway.internal.configuration.sections import Section
from gateway.internal.configuration.settings import completed
from gateway.internal.configuration.shapes import show
from gateway.internal.configuration.store import revision_of
from gateway.internal.operations.entries import normals
from gateway.internal.runtime import Runtime

_LOCAL_ONLY = frozenset({"host", "port", "auth-dir", "remote-management"})
_PLUGIN_FIELDS = ("enabled", "priority")


@dataclass(frozen=True, slots=True)
class Document:
    """config.yaml on disk; it holds secrets. ``revision`` is a fingerprint of its bytes."""

    text: str = field(repr=False)
    revision: str


async def read_document(runtime: Runtime) -> Document:
    """Return config.yaml with its revision.

    Raises:
        OSError: It cannot be read.
        ConfigurationError: It is not UTF-8 text.
    """
    text = await runtime.read_text()
    return Document(text, revision_of(text.encode()))


async def write_text(runtime: Runtime, text: str | bytes, expect_revision: str | None = None) -> str:
    """Replace config.yaml and reload; return the new revision. A clear-text management secret is hashed.

    ``expect_revision`` is the revision the file must have.

    Raises:
        ConfigurationError: The text is not YAML (``syntax``) or has impossible values; nothing was written.
        RevisionConflict: The file has another revision; nothing was written.
        OSError: It cannot be written.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            raise ConfigurationError("the text is not UTF-8; send it as UTF-8", syntax=True) from None
    document: str = text
    await runtime.exclusively(lambda: runtime.write_text(document, expect_revision))
    return runtime.revision


def as_json(runtime: Runtime) -> dict[str, object]:
    """Return the live configuration as JSON values, secrets included, without settings of this machine.

    Absent keys have their defaults; entries of the key sections are in normal form.
    """
    configuration = runtime.configuration
    plugins = {"enabled": configuration.plugins.enabled, "dir": configuration.plugins.dir}
    shown = {name: value for name, value in completed(configuration.document).items() if name not in _LOCAL_ONLY}
    shown |= {section.value: _entries(section, configuration) for section in Section}
    configs = {name: _plugin(settings) for name, settings in configuration.plugins.configs.items()}
    return shown | {"plugins": {**plugins, "configs": configs}}


def _entries(section: Section, configuration: Configuration) -> list[dict[str, object]] | None:
    """Return the entries of a section; null for none. An enabled provider has no ``disabled`` here."""
    entries = [show(ENTRIES[section], normal) for normal in normals(section, configuration)]
    if section is Section.COMPAT:
        for entry in entries:
            entry.setdefault("models", None)
            if not entry["disabled"]:
                del entry["disabled"]
    return entries or None


def _plugin(settings: Mapping[str, object]) -> dict[str, object]:
    return {name: settings[name] for name in _PLUGIN_FIELDS if name in settings}
