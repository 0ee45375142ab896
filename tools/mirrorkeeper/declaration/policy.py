"""Requirements on an upstream before it is mirrored: sizes, signatures, and accepted exceptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from typing import NamedTuple

from ..errors import ToolError
from ..toml.table import Table


def matches(patterns: Sequence[str], path: bytes) -> bool:
    """Return whether a pattern is the path's, or that of a folder above it."""
    return bool(patterns) and _compiled(tuple(patterns))(path.decode("utf-8", "surrogateescape")) is not None


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    """One expression for all patterns: every path of a mirror is asked about."""
    whole = "|".join(translate(pattern.rstrip("/"))[: -len(r"\Z")] for pattern in patterns)
    return re.compile(rf"(?:{whole})(?:/|\Z)").match


def leads_to(patterns: Sequence[str], path: bytes) -> bool:
    """Return whether the path is a folder above what a pattern names."""
    parts = path.decode("utf-8", "surrogateescape").split("/")
    return any(
        len(parts) < len(wanted) and all(map(fnmatchcase, parts, wanted))
        for wanted in (pattern.rstrip("/").split("/") for pattern in patterns)
    )


class Limits(NamedTuple):
    """Upper limits of an upstream tree: bytes of one file, bytes of all, number of entries."""

    file_bytes: int = 50_000_000
    total_bytes: int = 2_000_000_000
    files: int = 200_000


class Policy(StrEnum):
    """Policy for signatures: ignored, checked and recorded where present, or required."""

    OFF = "off"
    RECORDED = "recorded"
    REQUIRED = "required"


class Signatures(NamedTuple):
    """Requirements on signatures, and the files of the project with the trusted keys.

    Attributes:
        policy: how strict the check is.
        allowed_signers: for ssh, in the format of `ssh-keygen`; empty for none.
        keys: for OpenPGP, public keys as `gpg --export` writes them; empty for none.
    """

    policy: Policy = Policy.OFF
    allowed_signers: str = ""
    keys: str = ""


class Accepted(NamedTuple):
    """Patterns of paths that are mirrored, after a review, although a tree with them is refused otherwise.

    Attributes:
        links: links that are absolute or leave the mirrored folder.
        names: names that another system takes for something else, or for the same as another name beside it.
        attributes: files that attributes of our own repository convert on checkout.
        compiled: git-ignored files that a build makes where compilers take them.
    """

    links: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    compiled: tuple[str, ...] = ()

    def link(self, path: bytes) -> bool:
        """Return whether a link may lead anywhere."""
        return bool(self.links) and matches(self.links, path)

    def name(self, path: bytes) -> bool:
        """Return whether a path may have a name that not every system can hold."""
        return bool(self.names) and matches(self.names, path)

    def compiled_file(self, path: bytes) -> bool:
        """Return whether an ignored file may lie where a compiler takes it."""
        return bool(self.compiled) and matches(self.compiled, path)


def read_accepted(table: Table | None) -> Accepted:
    """Read `[accepted]`; without the table nothing is."""
    if table is None:
        return Accepted()
    accepted = Accepted(*(table.texts(name) for name in Accepted._fields))
    table.finish()
    return accepted


def read_limits(table: Table | None) -> Limits:
    """Read `[limits]`; limits that are not named have their defaults."""
    default = Limits()
    if table is None:
        return default
    limits = Limits(
        file_bytes=table.integer("file_bytes", default.file_bytes),
        total_bytes=table.integer("total_bytes", default.total_bytes),
        files=table.integer("files", default.files),
    )
    table.finish()
    return limits


def read_signatures(table: Table | None, shown: str) -> Signatures:
    """Read `[signatures]`; without the table nothing is asked.

    Raises:
        ToolError: the policy is not known, or nothing says whose signatures count; `shown` names the file.
    """
    if table is None:
        return Signatures()
    policy, names = table.text("policy"), [str(one) for one in Policy]
    if policy not in names:
        raise ToolError(f"{shown}: {policy!r} is no policy for signatures", f"one of {', '.join(names)}")
    signatures = Signatures(Policy(policy), table.text("allowed_signers", ""), table.text("keys", ""))
    table.finish()
    if signatures.policy is not Policy.OFF and not (signatures.allowed_signers or signatures.keys):
        advice = "name a file: allowed_signers for ssh, keys for OpenPGP"
        raise ToolError(f"{shown}: [signatures] does not say whose signatures count", advice)
    return signatures
