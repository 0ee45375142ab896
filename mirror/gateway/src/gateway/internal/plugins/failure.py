"""The failure of a plugin process."""


class PluginFailed(Exception):  # noqa: N818 - it names what happened
    """The process is of no use; ``str()`` says why in a few words."""
