"""Text catalogues, one file per language, read by the page and the terminal alike.

A catalogue holds groups of entries; `group.name` is the key of an entry. An entry is a text, or an object of plural
forms by the category of its parameter `n`. `{name}` in a text is replaced by the parameter of that name.
"""

from pathlib import Path

CATALOGUES = Path(__file__).parent
"""The folder of the catalogues; the name of a file is its language tag."""
