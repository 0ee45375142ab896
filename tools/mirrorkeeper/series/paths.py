"""The paths a patch touches, read without applying it, and those no patch may touch."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable

from ..declaration.declaration import Declaration
from ..errors import ToolError
from ..git.command import Git
from ..git.reserved_names import is_git_folder
from ..tool_name import TOOL
from .document import REWRITE, PatchDocument
from .sections import PatchSection, sections_of


def touched(repository: Git, patch: PatchDocument) -> tuple[str, ...]:
    """The paths, one for each section, in order.

    Raises:
        ToolError: git cannot read the patch.
    """
    listed = repository.run("apply", "--numstat", "-z", "-p1", "-", stdin=patch.content, check=False)
    if listed.status != 0:
        raise ToolError(f"{patch.name} cannot be read as a patch: {listed.complaint.partition(' (')[0]}", REWRITE)
    records = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
    return tuple(record.split("\t", 2)[2] for record in records if record.count("\t") > 1)


def parts(repository: Git, patch: PatchDocument) -> tuple[tuple[str, PatchSection], ...]:
    """The sections of a patch, each with its path.

    Raises:
        ToolError: git cannot read the patch, or reads more in it than sections of its own format.
    """
    paths, sections = touched(repository, patch), sections_of(patch.content)
    if len(paths) != len(sections):
        raise ToolError(f"{patch.name} has parts that are not in git's own format", REWRITE)
    return tuple(zip(paths, sections, strict=True))


def refuse_paths(
    repository: Git, series: Iterable[PatchDocument], declaration: Declaration, edited: Container[str] = ()
) -> None:
    """Refuse patches that touch forbidden paths, or, but for the `edited` ones, excluded paths.

    An excluded path is accounted for by the upstream's entry; a patch may not put another one there.

    Raises:
        ToolError: one does, or git cannot read one.
    """
    for patch in series:
        for path, _ in parts(repository, patch):
            raw = path.encode("utf-8", "surrogateescape")
            said = f"the patch {patch.name} touches {raw.decode('utf-8', 'backslashreplace')}"
            if any(name in (b"", b".", b"..") or is_git_folder(name) for name in raw.split(b"/")):
                raise ToolError(
                    f"{said}, a path that no mirrored tree may have",
                    f"take that part out of {declaration.patch_folder}/{patch.name}",
                )
            if patch.name not in edited and declaration.excludes(raw):
                edit = f"{TOOL} patch edit {shlex.quote(patch.name.removesuffix('.patch'))}"
                raise ToolError(f"{said}, which is not mirrored", f"exclude less, or take that part out: {edit}")
