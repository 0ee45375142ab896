"""Quick check by git's own records of size, times and inode: a quick yes, never a quick no.

Anything but a clear yes is left to the comparison of bytes, which names the paths. A yes rests on git's records
of a file when it writes or reads it, inode and change time (to the second) included, so an edit that restores size
and modification time is still seen; `--bytes` does not rest on it. What git never lists is looked for beside it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...git.command import Output
from ...git.isolation import as_environment
from ...git.named_objects import NamedObject, parse_named, start_named
from ...project import Project
from ..tree.attributes.sources import attribute_names, read_personal, start_personal
from ..tree.special_entries import holds_special_entry
from .unmerged import mergeable_places, start_unmerged

if TYPE_CHECKING:
    from ...declaration.declaration import Declaration
    from ...lockfile.pin import Pin

# Modes, links, case and everything git records count, whatever the repository's settings say about the file system.
_STRICT = as_environment(
    ("core.fileMode", "true"),
    ("core.symlinks", "true"),
    ("core.trustctime", "true"),
    ("core.checkStat", "default"),
    ("core.ignoreCase", "false"),
)


def _all_plain(listed: bytes) -> bool:
    """Return whether each record of `git ls-files -v -z` is of a file in the index without a flag."""
    plain = listed.startswith(b"H ") + listed.count(b"\0H ")
    return plain == listed.count(b"\0")


class Looks:
    """The questions of the quick check: git works on all of them at once, and `finish` is called in any case."""

    def __init__(self, project: Project, declaration: Declaration) -> None:
        """Ask all that needs no answer first, and wait for nothing.

        Of the files: whether any may differ from the index's records, and a list in which one that is unknown, or
        hidden by a flag, stands out. Of the index: entries that differ from the last commit. Of the settings: content
        filters, and the place of the person's attributes.

        Raises:
            ToolError: git cannot be started.
        """
        self._project = project
        self._declaration = declaration
        git, path = project.git, declaration.path
        project.ask()
        self._answers: dict[str, Output] = {}
        self._attributes: list[str] = []
        self._names: list[str] = []
        self._running = {
            "files": git.start("diff-files", "--quiet", "--", path + "/", environment=_STRICT),
            "listed": git.start("ls-files", "--cached", "--others", "-v", "-z", "--", path + "/", environment=_STRICT),
            "staged": git.start(
                "diff-index", "--cached", "--quiet", "HEAD", "--", *mergeable_places(project, declaration)
            ),
            "filters": git.start("config", "--get-regexp", r"^filter\..*\.(clean|process|smudge)$"),
            "personal": start_personal(project),
        }

    def ask_for_objects(self) -> None:
        """Ask for objects of the last commit and the index: lock, mirrored tree, our own attribute files.

        Raises:
            ToolError: git cannot use the repository.
        """
        project, lock, path = self._project, self._project.lock, self._declaration.path
        self._attributes = attribute_names(project, path)
        self._names = [f"HEAD:./{lock}", f":./{lock}", f"HEAD:./{path}", *(f":{name}" for name in self._attributes)]
        self._running["objects"] = start_named(project.git, self._names)

    def finish(self) -> None:
        """Wait for everything that git still works on."""
        for name in self._running:
            self._answer(name)

    @cached_property
    def _objects(self) -> list[NamedObject | None]:
        if "objects" not in self._running:
            self.ask_for_objects()
        return parse_named(self._answer("objects").stdout, self._names)

    @property
    def staged_attributes(self) -> dict[str, bytes]:
        """Our own attribute files as the index has them, by path from the top of the repository."""
        objects = self._objects
        held = zip(self._attributes, objects[-len(self._attributes) :], strict=True)
        return {name: one.body for name, one in held if one is not None and one.kind == "blob"}

    @property
    def personal_attributes(self) -> bytes:
        """The attributes of the system and of the person."""
        return read_personal(self._project, self._answer("personal"))

    @property
    def unmerged(self) -> bytes:
        """The unmerged entries of the index, as `start_unmerged` lists them."""
        return b"" if self._nothing_staged else start_unmerged(self._project, self._declaration).finish().stdout

    @property
    def _nothing_staged(self) -> bool:
        """Return whether mirror, lock, patches and declaration are in the index as in the last commit."""
        return self._answer("staged").status == 0

    def unchanged(self, pin: Pin) -> bool:
        """Return whether last commit, index and files all hold exactly this pin and its tree, by git's records."""
        from ...git.objects import object_id

        project = self._project
        try:  # git answers meanwhile
            if "objects" not in self._running:
                self.ask_for_objects()
            whole = project.prefix is not None and project.object_format == pin.object_format
            whole = whole and not self._passed_over()
        finally:
            self.finish()
        listed = self._answer("listed")
        own = object_id("blob", project.lock_path.read_bytes(), pin.object_format)
        return (
            whole
            and [one and one.oid for one in self._objects[:3]] == [own, own, pin.final_tree]
            and self._answer("filters").status != 0  # what they wrote is as recorded, and they say what a file is
            and self._mirror_as_committed()
            and self._answer("files").status == 0
            and listed.status == 0
            and _all_plain(listed.stdout)
            and not self._converted(listed.stdout)
        )

    def _answer(self, name: str) -> Output:
        if name not in self._answers:
            self._answers[name] = self._running[name].finish()
        return self._answers[name]

    def _converted(self, listed: bytes) -> bool:
        """Return whether the upstream's own attributes may convert files: git's records call those unchanged."""
        if b".gitattributes\0" not in listed:
            return False
        from ..tree.attributes.upstream_rules import may_convert
        from ..tree.conversion import line_ending_setting

        paths = [record[len(b"H ") :] for record in listed.split(b"\0")[:-1] if record.endswith(b".gitattributes")]
        personal = bool(line_ending_setting(self._project))
        return may_convert(self._project, paths, personal=personal)

    def _mirror_as_committed(self) -> bool:
        if self._nothing_staged:
            return True
        again = ("diff-index", "--cached", "--quiet", "HEAD", "--", self._declaration.path)
        return self._project.git.run(*again, check=False).status == 0

    def _passed_over(self) -> bool:
        """Return whether the mirrored folder holds anything git never lists; a folder that cannot be read may."""
        try:
            return holds_special_entry(self._project.root / self._declaration.path)
        except OSError:
            return True
