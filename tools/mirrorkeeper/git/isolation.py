"""The environment git runs in, so that no user's git settings change a result.

Pure: an environment goes in, settings and removals come out. Repository hooks, attributes from outside the tree,
replacement objects, file system monitors and every `GIT_*` variable that points git elsewhere are out of play.
Commands that talk to a network keep the user's configuration, because credential helpers live in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

# Variables that change how git reaches a server or who signs a commit, never what an object is.
_KEPT = (
    "GIT_SSH",
    "GIT_ASKPASS",
    "GIT_PROXY_",
    "GIT_SSL_",
    "GIT_HTTP_",
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_EXEC_PATH",
)

_FIXED = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_EDITOR": "true",
    "LC_ALL": "C",
}

_NO_USER_SETTINGS = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}

OPTIONS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.quotePath=false",
    "core.autocrlf=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.fsckObjects=true",
    "protocol.ext.allow=never",
    "advice.detachedHead=false",
    "init.templateDir=",
)


class Isolation(NamedTuple):
    """Return the changes to a process environment before git starts.

    Attributes:
        settings: variables to set.
        removed: variables that must not reach git, sorted.
    """

    settings: Mapping[str, str]
    removed: tuple[str, ...]


def isolate(environment: Mapping[str, str], *, network: bool = False) -> Isolation:
    """Decide which variables to set and to remove; `network` keeps the user's own configuration files."""
    settings = {**_FIXED, **({} if network else _NO_USER_SETTINGS)}
    kept_files = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") if network else ()
    removed = sorted(
        name
        for name in environment
        if name.startswith("GIT_") and not name.startswith(_KEPT) and name not in settings and name not in kept_files
    )
    return Isolation(settings, tuple(removed))


def as_environment(*settings: tuple[str, str]) -> dict[str, str]:
    """Settings as the variables git reads them from: they win over a repository's own, names of any sort included."""
    numbered = {f"GIT_CONFIG_KEY_{at}": name for at, (name, _) in enumerate(settings)}
    numbered.update({f"GIT_CONFIG_VALUE_{at}": value for at, (_, value) in enumerate(settings)})
    return {"GIT_CONFIG_COUNT": str(len(settings)), **numbered}
