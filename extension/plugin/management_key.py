"""Management key of the plugin: read from its file again and again, and sent once after a gateway refused it.

Theory of operation. A stock gateway bans an address for 30 minutes after five refused keys (v7.2.140), and the address
is loopback, which other programs share. So a refused key is not sent again until its file holds another one. Only a
change of the plugin's settings by a person gives the same key another try, for the key of the gateway may have been
corrected instead, and not more than `TRIES` in all.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from adapter.privacy.secret import Secret
from extension.serving.errors import SettingInvalid
from extension.store.regular_file import read_regular_text

KEY_NAME: Final = "poolkeeper-management.key"
"""Name of the file that `plugin install` writes beside the gateway's configuration."""
TRIES: Final = 3
"""Most tries of one refused key in the life of a process; five in a row ban the address."""
_OTHERS: Final = 0o077


@dataclass(frozen=True, slots=True)
class KeySource:
    """Place of the management key: a file, or else a value of the environment, which lasts as long as the process."""

    file: Path | None = None
    value: Secret = field(default_factory=lambda: Secret(""))

    def read(self) -> Secret:
        """Return the key as it is now."""
        return self.value if self.file is None else _key_in(self.file)

    @property
    def advice(self) -> str:
        """Return the next step after a refusal of the key."""
        if self.file is None:
            return "Restart the gateway with its management key in the environment."
        return f"Write the gateway's management key into {self.file}: it is read again by itself, without a restart."


class KeyTries:
    """Refused keys of this process, and whether one may be sent once more."""

    def __init__(self) -> None:
        self._tries: Counter[Secret] = Counter()
        self._refused: dict[Secret, str] = {}

    def allow(self, key: Secret) -> bool:
        """Return whether the key may be sent."""
        return key not in self._refused

    @property
    def any_refused(self) -> bool:
        """True while a key may not be sent."""
        return bool(self._refused)

    def reason(self, key: Secret) -> str:
        """Return the gateway's words about a refused key."""
        return self._refused[key]

    def refuse(self, key: Secret, reason: str) -> None:
        """Note that the gateway refused the key."""
        self._tries[key] += 1
        self._refused[key] = reason

    def renew(self) -> bool:
        """Give refused keys another try; return whether one has it."""
        again = [key for key in self._refused if self._tries[key] < TRIES]
        for key in again:
            del self._refused[key]
        return bool(again)


def _key_in(path: Path) -> Secret:
    try:
        exposed = path.stat().st_mode & _OTHERS
        text = read_regular_text(path).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingInvalid(f"The file {path} with the management key cannot be read: {reason}.") from None
    if exposed:
        raise SettingInvalid(f"Other users can read the file {path} with the management key: run `chmod 600 {path}`.")
    if not text:
        raise SettingInvalid(f"The file {path} with the management key is empty. Write the key into it.")
    return Secret(text)
