"""Attributes that git finds for paths in an empty repository with nothing but given attribute files in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ....git.command import Git
from ....git.guard import GUARD
from ....system.working_folder import working_folder
from .named_attributes import CONVERTING, FURTHER, turns_on

PROBE = "mirrorkeeper-probe"
_OFF = ("unset", "unspecified")
_BUILT_IN = (*_OFF, "set", "text", "binary")  # drivers of a merge that write no line that neither side has
_GUARDING = frozenset((*GUARD.split(), "-eol", "-ident", "-filter", "-working-tree-encoding", "-crlf", "!crlf"))
Values = Mapping[str, str]


class AttributeFiles(NamedTuple):
    """Attribute files by path from the top of the repository, and the content of the person's own."""

    files: Mapping[str, bytes]
    personal: bytes = b""

    @property
    def contents(self) -> tuple[bytes, ...]:
        """All of them."""
        return (*self.files.values(), self.personal)


def asked_names(contents: Iterable[bytes]) -> tuple[str, ...]:
    """Return the attributes worth asking for: of those that no guard needs, the ones that something turns on. Pure."""
    whole = b"\n".join(contents)
    return (*CONVERTING, *(name for name in FURTHER if turns_on(name, whole)))


def values_of(
    given: AttributeFiles, paths: Sequence[bytes], names: Sequence[str], *, ignore_case: bool
) -> list[Values]:
    """Return the attributes of each path, given from the top of the repository."""
    with working_folder("attributes-") as folder:
        top = Path(folder)
        git = Git(top)
        git.run("init", "--quiet", ".")
        for name, content in given.files.items():
            target = top / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        personal = top / ".git/personal"
        personal.write_bytes(given.personal)
        # The command refuses the setting that takes every path literally; it has no pathspecs.
        answer = git.run(
            "-c", f"core.attributesFile={personal}", "-c", f"core.ignoreCase={str(ignore_case).lower()}",
            "check-attr", "-z", "--stdin", *names,
            stdin=b"".join(path + b"\0" for path in paths), environment={"GIT_LITERAL_PATHSPECS": "0"},
        )  # fmt: skip
    found = answer.stdout.split(b"\0")[2::3]
    size = len(names)
    known: dict[tuple[bytes, ...], Values] = {}
    listed = []
    for at in range(0, len(found), size):
        part = tuple(found[at : at + size])
        values = known.get(part)
        if values is None:
            values = known[part] = dict(
                zip(names, (one.decode("utf-8", "backslashreplace") for one in part), strict=True)
            )
        listed.append(values)
    return listed


def probe() -> bytes:
    """Return a person's attribute file that sets everything a guard has to turn off."""
    return f"* {' '.join(f'{name}={PROBE}' for name in CONVERTING)}\n".encode()


def is_guarded(values: Values) -> bool:
    """Return whether no setting and no other attribute file can change bytes on checkout. Pure."""
    return values["text"] == "unset" and not any(values[name] == PROBE for name in CONVERTING)


def effects(values: Values) -> Iterator[str]:
    """Yield the settings that change bytes; an end of line has no effect on what is no text. Pure.

    A file that is text has line ends of the person's own, by `core.eol` or by the system.
    """

    def of(name: str) -> str:
        value = values.get(name, "unspecified")
        return "unspecified" if value == PROBE else value

    text = of("text")
    if text == "unspecified" and of("crlf") != "unspecified":  # the older name counts then
        text = {"input": "set"}.get(of("crlf"), of("crlf"))
        yield from (_shown("crlf", of("crlf")),) if text not in _OFF else ()
    elif of("eol") not in _OFF and text != "unset":
        yield f"eol={of('eol')}"
    elif text not in _OFF:
        yield _shown("text", text)
    for name in ("ident", "filter", "working-tree-encoding", "export-ignore", "export-subst"):
        if of(name) not in _OFF:
            yield _shown(name, of(name))
    if of("merge") not in _BUILT_IN:
        yield _shown("merge", of("merge"))


def _shown(name: str, value: str) -> str:
    return name if value == "set" else f"{name}={value}"


def case_matters(contents: Iterable[bytes], paths: Sequence[bytes]) -> Sequence[bytes]:
    """Return the paths that could have other attributes where case does not count. Pure.

    A line that only guards, or whose pattern holds no letter, matches no less then.
    """
    patterns = b""
    for line in b"\n".join(contents).splitlines():
        pattern, *settings = line.split() or [b""]
        if any(one.decode("latin-1") not in _GUARDING for one in settings) and re.search(rb"[A-Za-z]", pattern):
            patterns += pattern
    if not patterns:
        return ()
    if patterns != patterns.lower():
        return paths
    return [path for path in paths if path != path.lower()]
