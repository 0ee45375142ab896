"""Texts in the language of the terminal."""

import os

from extension.texts.catalogue import REFERENCE, Catalogue, Parameter, catalogue, chosen_language, languages


def current() -> Catalogue:
    """Return the catalogue of the language that the environment names."""
    return catalogue(chosen_language(os.environ, languages()))


def is_english() -> bool:
    """Return whether the service's own words are in the language of the terminal."""
    return current().language == REFERENCE


def text(key: str, **parameters: Parameter) -> str:
    """Return a text with its parameters; a number gets separators of thousands, and `n` chooses the plural form."""
    return current().text(key, **parameters)


def token_text(group: str, token: str, fallback: str) -> str:
    """Return the text of a token in a group, or the fallback for a token that this release does not know."""
    key = f"{group}.{token}"
    return current().text(key) if current().has(key) else fallback
