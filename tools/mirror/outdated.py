"""`mirror outdated`, `mirror status` and `mirror diff`: the mirror beside the releases of its upstream."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .declaration import FILE, Declaration
from .errors import ToolError
from .findings import Finding
from .lock import Lock, required_lock
from .patches import patch_lines
from .releases import Source, UpstreamRelease, find_release, is_newer, is_prerelease, moved_tag, newest_first
from .report import counted
from .repository import Repository
from .series import Series
from .sync import Say, read_mails, refuse_open_run, remember_blobs
from .tree import base_tree
from .verify import verify
from .work import Run, Work, at_work, work_folder

_LISTED = 10


def outdated(
    declaration: Declaration, say: Say, *, source: str | None = None, prereleases: bool = False, forward: int = 0
) -> list[Finding]:
    """Return notes about newer releases, and errors about a pinned tag that moved or is gone.

    The patches are tried on `forward` of the next releases. Raises ToolError: the upstream cannot be reached.
    """
    lock = required_lock(declaration)
    findings = check_origin(declaration, source)
    if forward:
        with at_work(declaration, say) as work:
            releases = Source.of(declaration, source).fetch(work.repository)
            ahead = _ahead(declaration, lock, releases, prereleases=prereleases)
            findings += _newer(ahead)
            findings += _forward(work, lock, ahead[:forward])
        return findings
    with tempfile.TemporaryDirectory(prefix="mirror-") as folder:
        place = Source.of(declaration, source)
        tags = place.remote_tags(Repository.create(Path(folder), place.settings))
    versions = {declaration.version_of(tag): (tag, ids) for tag, ids in tags.items()}
    releases = [UpstreamRelease(tag, version, *ids) for version, (tag, ids) in versions.items() if version is not None]
    ahead = _ahead(declaration, lock, releases, prereleases=prereleases)
    return findings + _newer(ahead)


def check_origin(declaration: Declaration, source: str | None = None) -> list[Finding]:
    """Return a finding where the tag of the pinned release is gone from its place, or names something else.

    Raises ToolError: the place cannot be reached.
    """
    lock = required_lock(declaration)
    place = Source.of(declaration, source)
    with tempfile.TemporaryDirectory(prefix="mirror-") as folder:
        repository = Repository.create(Path(folder), place.settings)
        oid, commit = place.remote_tags(repository).get(lock.tag.name, ("", ""))
        if oid == lock.tag.oid:
            commit = commit or lock.commit
        elif oid and not commit:
            commit = find_release(place.fetch(repository, check=False), lock.tag.name).commit
    if not oid:
        shown = str(declaration.lock_file.relative_to(declaration.root))
        return [Finding("PIN009", shown, f"{place.place} has no tag {lock.tag.name} any more", "ask the upstream why")]
    release = UpstreamRelease(lock.tag.name, "", oid, commit)
    return list(moved_tag(declaration, lock, release, place.place))


def _ahead(
    declaration: Declaration, lock: Lock, releases: list[UpstreamRelease], *, prereleases: bool
) -> list[UpstreamRelease]:
    """Return the releases after the pinned one, the next one first."""
    pinned = declaration.version_of(lock.tag.name)
    if pinned is None:
        raise ToolError(f"the pinned {lock.tag.name} is no release {declaration.track}", "look at `track`")
    counted = {release.version: release for release in releases if prereleases or not is_prerelease(release.version)}
    ordered = [counted[version] for version in reversed(newest_first(counted))]
    return [release for release in ordered if is_newer(release.version, pinned)]


def _newer(ahead: list[UpstreamRelease]) -> list[Finding]:
    """Return a note about the releases after the pinned one."""
    if not ahead:
        return []
    names = [release.tag for release in ahead[:_LISTED]] + (["…"] if len(ahead) > _LISTED else [])
    text = f"{ahead[-1].tag} is the newest of {counted(len(ahead), 'newer release')}: {', '.join(names)}"
    return [Finding("PIN006", FILE, text, f"python -m tools mirror sync {ahead[-1].tag}")]


def _forward(work: Work, lock: Lock, releases: list[UpstreamRelease]) -> Iterator[Finding]:
    """Try the patches on releases, each from the patches as they are; yield an error for each that breaks."""
    refuse_open_run(work)
    declaration, mails = work.declaration, read_mails(work.declaration)
    remember_blobs(work, lock)
    for release in releases:
        base = base_tree(work.repository, release.commit, declaration, work.index)
        run = Run("sync", release.tag, declaration.url, "", list(mails))
        series = Series.begin(work, run, base, mails)
        trial = series.try_out(series.advance(), (lock.commit, release.commit))
        work.forget_run()
        if trial.stops:
            names = ", ".join(stop.name for stop in trial.stops)
            text = f"{release.tag} needs a person for {len(trial.stops)} of {counted(len(mails), 'patch')}: {names}"
            hint = f"python -m tools mirror sync {release.tag} --refresh"
            yield Finding("PAT009", declaration.patches.folder, text, hint, details=tuple(trial.lines))
        else:
            rewritten = f", {len(run.merged)} elsewhere" if run.merged else ""
            upstream = f", {len(run.upstream)} in it already" if run.upstream else ""
            work.say(f"{release.tag} takes {counted(len(mails), 'patch')}{rewritten}{upstream}")


def status_lines(declaration: Declaration) -> Iterator[str]:
    """Yield one screen: pin, state of the mirror, patches, newer releases, open work."""
    lock = required_lock(declaration)
    yield f"upstream: {declaration.url}, {declaration.track}"
    yield f"pin: {lock.tag.name}, commit {lock.commit}"
    try:
        counts = Counter(finding.code for finding in verify(declaration) if finding.level == "error")
        shown = ", ".join(f"{count} {code}" for code, count in sorted(counts.items()))
        yield f"mirror: {declaration.path}: {shown or 'as pinned'}"
        if Source.of(declaration).bundles is not None:
            newer = [finding.message for finding in outdated(declaration, lambda _: None)]
            yield f"upstream now: {'; '.join(newer) or 'nothing newer'}"
    except ToolError as error:
        yield f"mirror: {error.message}"
    yield from patch_lines(declaration)
    if (work_folder(declaration) / "run.json").exists():
        with at_work(declaration, lambda _: None, finish=False) as work:
            run = work.read_run()
        if run is not None:
            yield f"open: {run.stopped or 'the series'} for {run.tag}: `{run.going_on}`, or `mirror sync --abort`"


def differences(declaration: Declaration, releases: str | None, style: str, source: str | None, say: Say) -> str:
    """Return the difference that the patches make, or that between two releases, as git shows it.

    `releases` is `OLD..NEW`, `NEW` for the pinned release and another, or None for the patches; `style` an option of
    `git diff`.
    """
    lock = required_lock(declaration)
    with at_work(declaration, say) as work:
        repository = work.repository
        fetched = Source.of(declaration, source).fetch(repository)
        if releases is None:
            old, new = lock.base_tree, lock.final_tree
        else:
            first, dots, second = releases.partition("..")
            names = (first or lock.tag.name, second or lock.tag.name) if dots else (lock.tag.name, first)
            commits = [find_release(fetched, name).commit for name in names]
            old, new = (base_tree(repository, commit, declaration, work.index) for commit in commits)
        return repository.run("diff", "--no-ext-diff", f"--{style}", old, new, env=work.lending).text
