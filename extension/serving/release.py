"""Which release this is."""

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "poolkeeper"


def service_version() -> str:
    """Answer the version of the installed distribution; "dev" when it runs from a folder."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "dev"
