"""Paths judged by all attribute files that reach them: ours beside the upstream's and the person's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .values import AttributeFiles, Values, asked_names, effects, is_guarded, probe, values_of


class Given:
    """Attribute files of ours, the upstream's and the person's, to be asked about paths."""

    def __init__(self, own: Mapping[str, bytes], upstream: Mapping[str, bytes], personal: bytes) -> None:
        """Take them; nothing is asked yet."""
        self._own = own
        self._upstream = upstream
        self.files = AttributeFiles({**upstream, **own}, personal)

    def judge(self, paths: Sequence[bytes], *, ignore_case: bool) -> Iterator[tuple[bytes, Sequence[str], bool]]:
        """Yield each path that is not clean, with the settings that change its bytes, and whether ours guard it."""
        names = asked_names(self.files.contents)
        probed = values_of(AttributeFiles(self._own, probe()), paths, names, ignore_case=ignore_case)
        held, alone = probed, None
        if self._upstream or self.files.personal:
            held = values_of(self.files, paths, names, ignore_case=ignore_case)
        if self._upstream:
            alone = values_of(AttributeFiles(self._upstream), paths, names, ignore_case=ignore_case)
        known: dict[tuple[int, ...], tuple[list[str], bool]] = {}
        for at, path in enumerate(paths):
            mine, own, other = held[at], probed[at], alone[at] if alone else {}
            key = (id(mine), id(own), id(other) if alone else 0)
            if key not in known:
                known[key] = _effect(mine, own, other)
            settings, guarded = known[key]
            if settings or not guarded:
                yield path, settings, guarded


def _effect(held: Values, own: Values, upstream: Values) -> tuple[list[str], bool]:
    by_upstream = set(effects(upstream))
    return [one for one in effects(held) if one not in by_upstream], is_guarded(own)
