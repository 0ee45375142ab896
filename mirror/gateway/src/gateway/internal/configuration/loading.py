"""config.yaml as a ``Configuration``: parsed, checked and normalized as the stock gateway does.

Entries without the base URL or key that their section needs are dropped, as are repetitions in gemini and vertex;
``position`` is the index of the remaining ones in the file.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gateway.internal.configuration import normalisation
from gateway.internal.configuration.document import BYTE_ORDER_MARK, parse_document
from gateway.internal.configuration.edits import Path
from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.layout import Node, lay_out, place_tree
from gateway.internal.configuration.model import (
    CompatKey,
    CompatProvider,
    Configuration,
    KeyEntry,
    Model,
    Plugins,
    Profile,
    RemoteManagement,
    Tls,
)
from gateway.internal.configuration.reading import Place, WrongValue
from gateway.internal.configuration.sections import SECTIONS, Section
from gateway.internal.configuration.settings import STRATEGIES
from gateway.internal.configuration.traffic import read_traffic

_HIGHEST_PORT = 65535
_NOTHING = Configuration()


def parse(text: str, file: str = "") -> Configuration:
    """Return the configuration of a text.

    Args:
        text: Content of config.yaml; an empty one is an empty configuration.
        file: File name for errors.

    Raises:
        ConfigurationError: The text is not YAML (``syntax``) or has impossible values; with line and remedy.
    """
    try:
        document = parse_document(text)
    except ConfigurationError as error:
        raise error.within(file) from None
    return configuration_of(document, text, file)


def configuration_of(document: Any, text: str, file: str = "", before: Configuration = _NOTHING) -> Configuration:
    """Return the configuration of a parsed text; see ``parse``.

    Args:
        document: The parsed text.
        text: The text, for the lines of errors.
        file: As for ``parse``.
        before: An earlier configuration. Entries whose objects are still in the same place of the document are reused:
            reading ten thousand entries would cost more than the rest of a change.

    Raises:
        ConfigurationError: It has impossible values.
    """
    try:
        return _configuration(Place(document), before)
    except WrongValue as wrong:
        problem = ConfigurationError(f"{wrong}; correct it", line=line_of(text, wrong.path), syntax=wrong.type_error)
        raise problem.within(file) from None


def line_of(text: str, path: Path) -> int:
    """Return the one-based line of a place, or of the nearest written place above it."""
    root = lay_out(text.removeprefix(BYTE_ORDER_MARK), place_tree([path]))
    line = 0
    node: Node | None = root
    for step in (*path, None):
        if node is None:
            break
        line = node.line
        node = node.child(step) if step is not None else None
    return line


def _configuration(root: Place, before: Configuration) -> Configuration:
    if root.value is not None and not isinstance(root.value, dict):
        raise WrongValue((), "must be a mapping (key: value lines) at its top level")
    tls = root.at("tls")
    return Configuration(
        host=root.at("host").text().strip(),
        port=_port(root.at("port")),
        tls=Tls(tls.at("enable").boolean(), tls.at("cert").text(), tls.at("key").text()),
        auth_dir=_folder(root.at("auth-dir")),
        api_keys=tuple(dict.fromkeys(key.strip() for key in root.at("api-keys").texts() if key.strip())),
        proxy_url=root.at("proxy-url").text(),
        debug=root.at("debug").boolean(),
        logging_to_file=root.at("logging-to-file").boolean(),
        usage_statistics_enabled=root.at("usage-statistics-enabled").boolean(),
        request_retry=root.at("request-retry").integer(),
        routing_strategy=_strategy(root.at("routing").at("strategy")),
        traffic=read_traffic(root),
        management_profile=_profile(root.at("management-profile")),
        management=_management(root.at("remote-management")),
        plugins=_plugins(root.at("plugins")),
        entries={
            section: tuple(_entries(section, root.at(section.value), before.entries.get(section, ())))
            for section in SECTIONS
            if section is not Section.COMPAT
        },
        compat=tuple(_providers(root.at(Section.COMPAT.value), before.compat)),
        document=root.mapping(),
    )


def _port(place: Place) -> int:
    port = place.integer()
    if not 0 <= port <= _HIGHEST_PORT:
        raise WrongValue(place.path, f"must be between 0 and {_HIGHEST_PORT}", type_error=False)
    return port


def _folder(place: Place) -> str:
    folder = place.text().strip()
    if "\0" in folder:
        raise WrongValue(place.path, "must be the name of a folder", type_error=False)
    return folder


def _strategy(place: Place) -> str:
    word = place.text().strip().lower()
    return STRATEGIES.get(word.replace("-", ""), word)


def _profile(place: Place) -> Profile:
    word = place.text(Profile.EXTENDED.value).strip().lower()
    try:
        return Profile(word)
    except ValueError:
        raise WrongValue(place.path, "must be extended or stock", type_error=False) from None


def _management(place: Place) -> RemoteManagement:
    return RemoteManagement(
        allow_remote=place.at("allow-remote").boolean(),
        secret_key=place.at("secret-key").text(),
        disable_control_panel=place.at("disable-control-panel").boolean(),
    )


def _plugins(place: Place) -> Plugins:
    configs = place.at("configs")
    for name in configs.mapping():
        settings = configs.at(name)
        settings.at("enabled").boolean()
        settings.at("priority").integer()
    return Plugins(
        enabled=place.at("enabled").boolean(),
        dir=place.at("dir").text().strip() or "plugins",
        configs={name: configs.at(name).mapping() for name in configs.mapping()},
    )


def _models(place: Place) -> tuple[Model, ...]:
    pairs = ((item.at("name").text().strip(), item.at("alias").text().strip()) for item in place.items())
    return tuple(Model(name, alias) for name, alias in pairs if name or alias)


def _entries(section: Section, place: Place, before: Sequence[KeyEntry]) -> Iterator[KeyEntry]:
    facts = SECTIONS[section]
    identities: set[object] = set()
    read = {entry.position: entry for entry in before}
    for position, item in enumerate(place.items()):
        earlier = read.get(position)
        entry = earlier if earlier is not None and earlier.raw is item.value else _entry(section, position, item)
        if (facts.needs_base_url and not entry.base_url) or (facts.needs_key and not entry.api_key):
            continue
        identity = _identity(entry)
        if (entry.api_key or entry.base_url or facts.keeps_empty) and (identity is None or identity not in identities):
            yield entry
        identities.add(identity)


def _entry(section: Section, position: int, item: Place) -> KeyEntry:
    return KeyEntry(
        section=section,
        position=position,
        api_key=item.at("api-key").text().strip(),
        base_url=item.at("base-url").text().strip(),
        proxy_url=item.at("proxy-url").text().strip(),
        prefix=normalisation.prefix(item.at("prefix").text()),
        headers=normalisation.headers(item.at("headers")),
        excluded_models=normalisation.excluded_models(item.at("excluded-models").texts()),
        models=_models(item.at("models")),
        priority=item.at("priority").integer(),
        weight=normalisation.weight(item.at("weight")),
        raw=item.mapping(),
    )


def _identity(entry: KeyEntry) -> object:
    """Return the fields by which an entry repeats an earlier one; None where repetitions are allowed."""
    if entry.section is Section.VERTEX:
        return entry.api_key, entry.base_url
    if entry.section in {Section.GEMINI, Section.INTERACTIONS}:
        return entry.api_key, entry.base_url, entry.proxy_url, entry.prefix, entry.headers
    return None


def _providers(place: Place, before: Sequence[CompatProvider]) -> Iterator[CompatProvider]:
    read = {provider.position: provider for provider in before}
    for position, item in enumerate(place.items()):
        earlier = read.get(position)
        provider = earlier if earlier is not None and earlier.raw is item.value else _provider(position, item)
        if provider.base_url:
            yield provider


def _provider(position: int, item: Place) -> CompatProvider:
    keys = tuple(
        CompatKey(
            number,
            key.at("api-key").text().strip(),
            key.at("proxy-url").text().strip(),
            normalisation.weight(key.at("weight")),
        )
        for number, key in enumerate(item.at("api-key-entries").items())
    )
    return CompatProvider(
        position=position,
        name=item.at("name").text().strip(),
        base_url=item.at("base-url").text().strip(),
        disabled=item.at("disabled").boolean(),
        prefix=normalisation.prefix(item.at("prefix").text()),
        headers=normalisation.headers(item.at("headers")),
        keys=keys,
        models=_models(item.at("models")),
        priority=item.at("priority").integer(),
        raw=item.mapping(),
    )
