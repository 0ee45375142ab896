"""Dependence of patches on each other: those that stand on the upstream alone, and those that need others first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..series.conflict import PatchStopped
from ..series.document import PatchDocument
from ..series.paths import touched
from ..series.series import PatchedTree
from .release.base_release import BaseRelease


@dataclass(frozen=True)
class Standing:
    """Dependence of one patch.

    Attributes:
        name: its file name.
        needs: patches before it without any of which it does not apply, in order; none when it stands alone.
        broken: why it does not apply even after all patches before it; empty when it does.
    """

    name: str
    needs: tuple[str, ...] = ()
    broken: str = ""

    @property
    def line(self) -> str:
        """The standing in a line for people."""
        if self.broken:
            return f"{self.name}{self.broken} (after all patches before it)"
        return f"{self.name}: {'needs ' + ', '.join(self.needs) if self.needs else 'applies alone'}"


class Standings:
    """The series, tried patch by patch on the ground: contexts may have moved and blobs may differ, nothing else."""

    def __init__(self, base_release: BaseRelease, series: Sequence[PatchDocument]) -> None:
        """Take the ground and the series; nothing is tried yet."""
        self._base_release = base_release
        self._series = series
        self._tree = PatchedTree(base_release.repository, base_release.repository.folder, base_release.base)
        self._paths = {patch.name: frozenset(touched(base_release.repository, patch)) for patch in series}

    def find(self) -> tuple[Standing, ...]:
        """Try every patch alone, and find for each that does not apply so the fewest it needs."""
        found: dict[str, Standing] = {}
        for at, patch in enumerate(self._series):
            found[patch.name] = self._standing(patch, self._series[:at], found)
        return tuple(found.values())

    def _standing(self, patch: PatchDocument, earlier: Sequence[PatchDocument], found: dict[str, Standing]) -> Standing:
        if not self._stops(patch, ()):
            return Standing(patch.name)
        near = {
            name
            for other in earlier
            if self._paths[other.name] & self._paths[patch.name]
            for name in (other.name, *found[other.name].needs)
        }
        kept = [other for other in earlier if other.name in near]
        if self._stops(patch, kept):
            kept = list(earlier)
            broken = self._stops(patch, kept)
            if broken:
                return Standing(patch.name, broken=broken)
        for other in tuple(kept):
            fewer = [one for one in kept if one is not other]
            if not self._stops(patch, fewer):
                kept = fewer
        return Standing(patch.name, tuple(other.name for other in kept))

    def _stops(self, patch: PatchDocument, before: Sequence[PatchDocument]) -> str:
        """Return the reason `patch` does not apply after those alone; empty when it does."""
        self._tree.set(self._base_release.base)
        try:
            for one in (*before, patch):
                self._tree.adapt(one)
        except PatchStopped as stopped:
            return stopped.stop.text
        return ""
