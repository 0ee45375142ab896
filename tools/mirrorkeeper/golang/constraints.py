"""Go files of the ordinary build, by name and build constraint: linux, amd64, the gc compiler. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SYSTEMS = {
    "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd", "plan9",
    "solaris", "wasip1", "windows", "zos",
}  # fmt: skip
_MACHINES = {
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
}  # fmt: skip
_TRUE = {"linux", "amd64", "unix", "gc", "cgo"}
_SKIPPED_FOLDERS = {"vendor", "testdata", "examples", "example", "test", "tests"}
_TOKEN = re.compile(r"\s*(\|\||&&|!|\(|\)|[\w.]+)")


def is_built(path: str) -> bool:
    """Return whether a file's name and place let it into the build; its constraint is another question."""
    *folders, name = path.split("/")
    if not name.endswith(".go") or name.endswith("_test.go") or name[0] in "_.":
        return False
    if any(folder in _SKIPPED_FOLDERS or folder[0] in "_." for folder in folders):
        return False
    words = name.removesuffix(".go").split("_")[1:]
    if words and words[-1] in _MACHINES and words.pop() != "amd64":
        return False
    return not words or words[-1] not in _SYSTEMS or words[-1] == "linux"


def is_wanted(content: bytes) -> bool:
    """Return whether the build constraint before the package clause, in the new or the old form, is met."""
    new: str | None = None
    old: list[str] = []
    for line in _outside_of_blocks(content.decode("utf-8", "replace")):
        text = line.strip()
        if re.match(r"//go:build\s", text):
            new = text.removeprefix("//go:build")
        elif re.match(r"//\s*\+build\s", text):
            old.append(re.sub(r"^//\s*\+build\s+", "", text))
        elif text.startswith("package "):
            break
    if new is not None:
        return _Expression(new).value()
    return all(any(all(map(_term, option.split(","))) for option in line.split()) for line in old)


def _outside_of_blocks(text: str) -> Iterator[str]:
    """Yield the lines before any code, without comments of the other sort, which may hold anything."""
    inside = False
    for line in text.splitlines():
        rest = line
        while rest:
            if inside:
                _, closed, rest = rest.partition("*/")
                inside = not closed
            elif rest.lstrip().startswith("/*"):
                inside, rest = True, rest.lstrip()[2:]
            else:
                yield rest
                break


def _term(word: str) -> bool:
    return not _tag(word[1:]) if word.startswith("!") else _tag(word)


def _tag(word: str) -> bool:
    return word in _TRUE or word.startswith("go1.")


class _Expression:
    """A `//go:build` line, evaluated from left to right by the usual precedence."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)

    def value(self) -> bool:
        """Return whether it is met; a line that cannot be read is not."""
        try:
            met = self._either()
        except IndexError:
            return False
        return met and not self._tokens

    def _either(self) -> bool:
        met = self._both()
        while self._tokens[:1] == ["||"]:
            self._tokens.pop(0)
            met = self._both() or met
        return met

    def _both(self) -> bool:
        met = self._one()
        while self._tokens[:1] == ["&&"]:
            self._tokens.pop(0)
            met = self._one() and met
        return met

    def _one(self) -> bool:
        word = self._tokens.pop(0)
        if word == "!":
            return not self._one()
        if word == "(":
            met = self._either()
            self._tokens.pop(0)
            return met
        return _tag(word)
