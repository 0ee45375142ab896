"""Conflict marks with names of one's own: `git apply --3way` only knows `ours` and `theirs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .command import Git


def labelled(git: Git, ours: str, theirs: str) -> Iterator[tuple[str, bytes]]:
    """Yield each unmerged file of the checkout with its conflicts marked by these names.

    Files that one side lacks, and those git cannot merge line by line, are left out: they have no marks.
    """
    listed = git.run("ls-files", "--unmerged", "-z").stdout.split(b"\0")[:-1]
    records = [record.decode("utf-8", "surrogateescape").partition("\t") for record in listed]
    folder = Path(git.run("rev-parse", "--absolute-git-dir").text)
    for path in dict.fromkeys(path for _, _, path in records):
        stages = {head[-1]: head.split(" ")[1] for head, _, other in records if other == path}
        if set(stages) == {"1", "2", "3"}:
            content = _merged(git, folder, [stages[stage] for stage in "213"], (ours, "before", theirs))
            if content is not None:
                yield path, content


def _merged(git: Git, folder: Path, blobs: list[str], labels: tuple[str, ...]) -> bytes | None:
    """Merge three blobs (one side, the base, the other side); None when git refuses to."""
    places = [folder / f"merge-{name}" for name in ("ours", "base", "theirs")]
    try:
        for place, blob in zip(places, blobs, strict=True):
            place.write_bytes(git.run("cat-file", "blob", blob).stdout)
        named = [part for label in labels for part in ("-L", label)]
        output = git.run("merge-file", "--stdout", "--quiet", *named, *map(str, places), check=False)
    finally:
        for place in places:
            place.unlink(missing_ok=True)
    # The status is the number of conflicts, up to 127; beyond, git refused.
    return output.stdout if 0 < output.status <= 127 else None  # noqa: PLR2004
