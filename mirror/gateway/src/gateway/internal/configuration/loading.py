"""The text of config.yaml to a ``Configuration``: parsed, checked and normalised as the stock gateway does.

Entries without the base address or key their section needs are dropped, and gemini entries that repeat one are too; the
places of the others in the file are kept in ``position``.
"""

from collections.abc import Iterator

from gateway.internal.configuration import normalisation
from gateway.internal.configuration.document import BYTE_ORDER_MARK, parse_document
from gateway.internal.configuration.edits import Path
from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.layout import Node, lay_out, wanted
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

_STRATEGIES = {
    "roundrobin": "round-robin",
    "rr": "round-robin",
    "": "round-robin",
    "weightedroundrobin": "weighted-round-robin",
    "wrr": "weighted-round-robin",
    "fillfirst": "fill-first",
    "ff": "fill-first",
}
_HIGHEST_PORT = 65535


def parse(text: str, file: str = "") -> Configuration:
    """Return the configuration a text describes.

    Args:
        text: Content of config.yaml; an empty one is an empty configuration.
        file: Name to put into errors.

    Raises:
        ConfigurationError: The text is not YAML (``syntax``), or says something impossible; with line and remedy.
    """
    try:
        try:
            return _configuration(Place(parse_document(text)))
        except WrongValue as wrong:
            raise ConfigurationError(f"{wrong}; correct it", line=line_of(text, wrong.path)) from None
    except ConfigurationError as error:
        raise error.within(file) from None


def line_of(text: str, path: Path) -> int:
    """Return the one-based line of a place, or of the nearest place above it that is written."""
    root = lay_out(text.removeprefix(BYTE_ORDER_MARK), wanted([path]))
    line = 0
    node: Node | None = root
    for step in (*path, None):
        if node is None:
            break
        line = node.line
        node = node.child(step) if step is not None else None
    return line


def _configuration(root: Place) -> Configuration:
    if root.value is not None and not isinstance(root.value, dict):
        raise WrongValue((), "must be a mapping (key: value lines) at its top level")
    tls = root.at("tls")
    return Configuration(
        host=root.at("host").text().strip(),
        port=_port(root.at("port")),
        tls=Tls(tls.at("enable").boolean(), tls.at("cert").text(), tls.at("key").text()),
        auth_dir=root.at("auth-dir").text().strip(),
        api_keys=tuple(dict.fromkeys(key.strip() for key in root.at("api-keys").texts() if key.strip())),
        proxy_url=root.at("proxy-url").text(),
        debug=root.at("debug").boolean(),
        logging_to_file=root.at("logging-to-file").boolean(),
        usage_statistics_enabled=root.at("usage-statistics-enabled").boolean(),
        request_retry=root.at("request-retry").integer(),
        routing_strategy=_strategy(root.at("routing").at("strategy")),
        management_profile=_profile(root.at("management-profile")),
        management=_management(root.at("remote-management")),
        plugins=_plugins(root.at("plugins")),
        entries={
            section: tuple(_entries(section, root.at(section.value)))
            for section in SECTIONS
            if section is not Section.COMPAT
        },
        compat=tuple(_providers(root.at(Section.COMPAT.value))),
        document=root.mapping(),
    )


def _port(place: Place) -> int:
    port = place.integer()
    if not 0 <= port <= _HIGHEST_PORT:
        raise WrongValue(place.path, f"must be between 0 and {_HIGHEST_PORT}")
    return port


def _strategy(place: Place) -> str:
    word = place.text().strip().lower()
    return _STRATEGIES.get(word.replace("-", ""), word)


def _profile(place: Place) -> Profile:
    word = place.text(Profile.EXTENDED.value).strip().lower()
    try:
        return Profile(word)
    except ValueError:
        raise WrongValue(place.path, "must be extended or stock") from None


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


def _entries(section: Section, place: Place) -> Iterator[KeyEntry]:
    facts = SECTIONS[section]
    seen: set[tuple[str, str]] = set()
    for position, item in enumerate(place.items()):
        entry = KeyEntry(
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
        twin = (entry.api_key, entry.base_url)
        if (facts.needs_base_url and not entry.base_url) or (facts.needs_key and not entry.api_key) or not any(twin):
            continue
        if section in {Section.GEMINI, Section.INTERACTIONS} and twin in seen:
            continue
        seen.add(twin)
        yield entry


def _providers(place: Place) -> Iterator[CompatProvider]:
    for position, item in enumerate(place.items()):
        keys = tuple(
            CompatKey(
                number,
                key.at("api-key").text().strip(),
                key.at("proxy-url").text().strip(),
                normalisation.weight(key.at("weight")),
            )
            for number, key in enumerate(item.at("api-key-entries").items())
        )
        provider = CompatProvider(
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
        if provider.base_url:
            yield provider
