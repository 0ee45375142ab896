"""Errors of starting and serving; each text gives the event and the next step in one line.

ServingError
├── SettingInvalid    a setting that is unknown or cannot be used
└── NotStarted        an application behind ours refused to start
"""
# ruff: noqa: N818 - the names are the events; "Error" at the end of each would add nothing


class ServingError(Exception):
    """The service cannot be started or used as asked."""


class SettingInvalid(ServingError):
    """A setting is unknown or has a value that cannot be used."""


class NotStarted(ServingError):
    """An application behind ours refused to start or to stop."""
