"""The settings file: found through the environment, read, and handed on as values."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from extension.serving.errors import SettingInvalid
from extension.serving.settings.sources import SETTINGS_FILE, parse_file
from extension.store.regular_file import read_regular_text


def read_settings_file(environment: Mapping[str, str]) -> dict[str, Any]:
    """Read the settings file that the environment names; no values when it names none.

    Raises:
        SettingInvalid: it cannot be read or is not TOML.
    """
    name = environment.get(SETTINGS_FILE, "")
    if not name:
        return {}
    try:
        text = read_regular_text(Path(name))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingInvalid(
            f"The settings file {name} cannot be read: {reason}. Correct --settings ({SETTINGS_FILE}) or the file."
        ) from None
    return parse_file(text, name)
