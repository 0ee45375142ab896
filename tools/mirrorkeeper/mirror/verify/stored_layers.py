"""Questions of the full check: what git holds of the mirror, asked for at once while the files are read."""

from __future__ import annotations

from functools import cached_property

from ...declaration.declaration import Declaration
from ...git.command import Output
from ...git.named_objects import NamedObject, parse_named, start_named
from ...lockfile.pin import Pin, parse_pin
from ...project import Project
from ..tree.attributes.sources import attribute_names, read_personal, start_personal
from ..tree.filesystem_features import Ability, parse_features, start_features
from ..tree.staged_listing import start_staged
from ..tree.staged_places import parse_places, start_places
from .unmerged import start_unmerged


class StoredLayers:
    """Contents of index and last commit, and features of the file system; `finish` in any case."""

    def __init__(self, project: Project, declaration: Declaration) -> None:
        """Ask for everything; the project lies in a repository.

        Raises:
            ToolError: git cannot be started.
        """
        self._project = project
        self._attributes = attribute_names(project, declaration.path)
        top = [f":./{project.lock}", f"HEAD:./{project.lock}", f"HEAD:./{declaration.path}"]
        self._names = [*top, *(f":{name}" for name in self._attributes)]
        self._answers: dict[str, Output] = {}
        self._running = {
            "listed": start_staged(project, declaration),
            "objects": start_named(project.git, self._names),
            "places": start_places(project, declaration),
            "personal": start_personal(project),
            "features": start_features(project),
            "unmerged": start_unmerged(project, declaration),
        }

    def finish(self) -> None:
        """Wait for everything that git still works on."""
        for name in self._running:
            self._answer(name)

    @property
    def listed(self) -> bytes:
        """The entries of the index below the mirror, as `start_staged` lists them."""
        return self._answer("listed").stdout

    @property
    def personal_attributes(self) -> bytes:
        """The attributes of the system and of the person."""
        return read_personal(self._project, self._answer("personal"))

    @property
    def unmerged(self) -> bytes:
        """The unmerged entries of the index, as `start_unmerged` lists them."""
        return self._answer("unmerged").stdout

    @property
    def places(self) -> dict[str, int]:
        """The mode of each entry of the index at our own places beside the mirror."""
        return parse_places(self._answer("places").stdout)

    @property
    def ability(self) -> Ability:
        """Features of the file system."""
        return parse_features(self._answer("features"))

    @property
    def pin_in_index(self) -> Pin | None:
        """The pin of the lock in the index; None where there is no such file."""
        return self._pin(0)

    @property
    def pin_in_commit(self) -> Pin | None:
        """The pin of the lock in the last commit; None where there is no such file."""
        return self._pin(1)

    @property
    def tree_in_commit(self) -> str:
        """Id of the mirrored folder in the last commit; empty where it is no tree, or one that is not here."""
        held = self._objects[2]
        return held.oid if held is not None and held.kind == "tree" else ""

    @property
    def incomplete(self) -> bool:
        """A missing object: of the lock in index or commit, or of the mirrored folder in the commit."""
        return None in self._objects[:3]

    @property
    def staged_attributes(self) -> dict[str, bytes]:
        """Our own attribute files as the index has them, by path from the top of the repository."""
        held = zip(self._attributes, self._objects[-len(self._attributes) :], strict=True)
        return {name: one.body for name, one in held if one is not None and one.kind == "blob"}

    @cached_property
    def _objects(self) -> list[NamedObject | None]:
        return parse_named(self._answer("objects").stdout, self._names)

    def _pin(self, at: int) -> Pin | None:
        held = self._objects[at]
        if held is None or held.kind != "blob":
            return None
        return parse_pin(held.body.decode("utf-8", "replace"), self._names[at].replace(":./", ":"))

    def _answer(self, name: str) -> Output:
        if name not in self._answers:
            self._answers[name] = self._running[name].finish()
        return self._answers[name]
