"""Webhook address as a person set it: it may hold a token, so it is kept outside the database.

It is in `webhook.url` of the data folder (mode 0600).
"""

from adapter.privacy.secret import Secret
from extension.store.data_folder import DataFolder
from extension.store.errors import DataFolderUnusable
from extension.store.regular_file import read_regular_text

_NAME = "webhook.url"


class WebhookAddress:
    """Reads and writes the address of one data folder."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._path = folder.path / _NAME

    def read(self) -> Secret | None:
        """Return the address, or None when there is none.

        Raises:
            DataFolderUnusable: it cannot be read.
        """
        try:
            text = read_regular_text(self._path).strip()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise DataFolderUnusable(f"{self._path} cannot be read: {type(error).__name__}. Remove it.") from error
        return Secret(text) if text else None

    def write(self, address: Secret | None) -> None:
        """Keep an address, or none from now on.

        Raises:
            DataFolderUnusable: it cannot be written.
        """
        try:
            if address is None:
                self._path.unlink(missing_ok=True)
            else:
                self._folder.write_private(self._path, f"{address.reveal()}\n")
        except OSError as error:
            raise DataFolderUnusable(
                f"{self._path} cannot be written: {error.strerror or type(error).__name__}. "
                "Give the service's user write access to it."
            ) from error
