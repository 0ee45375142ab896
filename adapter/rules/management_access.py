"""`remote-management` read from the text of a config.yaml."""

from adapter.port import ManagementAccess
from adapter.privacy.secret import Secret
from adapter.rules.config_text import config_values, section


def management_access(text: Secret) -> ManagementAccess:
    """Return the access to management as a configuration states it.

    Raises:
        ConfigTextInvalid: the text is not YAML.
    """
    found = section(config_values(text.reveal()), "remote-management")
    key = found.get("secret-key")
    return ManagementAccess(Secret("" if key is None else str(key)), found.get("allow-remote") is True)
