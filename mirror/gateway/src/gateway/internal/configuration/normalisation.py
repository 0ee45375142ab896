"""Normalization of single values at load."""

from collections.abc import Iterable

from gateway.internal.configuration.reading import Place, WrongValue

HIGHEST_WEIGHT = 1_000_000


def excluded_models(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return patterns trimmed and lower-cased, without blanks and repetitions, in order."""
    return tuple(dict.fromkeys(pattern.strip().lower() for pattern in patterns if pattern.strip()))


def prefix(text: str) -> str:
    """Return a model prefix without blanks and slashes around it; one with a slash inside is dropped."""
    trimmed = text.strip().strip("/")
    return "" if "/" in trimmed else trimmed


def headers(place: Place) -> tuple[tuple[str, str], ...]:
    """Return extra headers trimmed, in the order of their names, those with an empty name or value dropped."""
    pairs = ((str(name).strip(), place.at(name).text().strip()) for name in place.mapping())
    return tuple(sorted((name, value) for name, value in dict(pairs).items() if name and value))


def weight(place: Place) -> int | None:
    """Return a weight, None when not set; negative ones mean zero.

    Raises:
        WrongValue: Not a whole number, or above the limit.
    """
    if place.value is None:
        return None
    if isinstance(place.value, float):
        raise WrongValue(place.path, "must be a whole number", type_error=False)
    value = place.integer()
    if value > HIGHEST_WEIGHT:
        raise WrongValue(place.path, f"must be at most {HIGHEST_WEIGHT}", type_error=False)
    return max(0, value)


def header_part(pairs: Iterable[tuple[str, str]]) -> str:
    """Return headers as one text for hashing: names in byte order, each ``name NUL value NUL``."""
    ordered = sorted(pairs, key=lambda pair: pair[0].encode())
    return "".join(f"{name}\0{value}\0" for name, value in ordered)
