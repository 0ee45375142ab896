"""`mirror sync`: bring the mirror to a release with its patches; one that does not apply leaves all as it was."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .declaration import FILE, Declaration, read_declaration, with_order
from .errors import PausedError, ToolError
from .lock import SCHEMA, Lock, LockedPatch, LockedTag, read_lock
from .releases import Source, UpstreamRelease, find_release, latest, moved_tag, releases_in
from .report import counted
from .series import Series, Trial
from .tree import base_tree, patched_tree, refuse_problems
from .work import NextState, Run, Work, at_work

_LISTED = 10
Say = Callable[[str], None]
_SYNC = "python -m tools mirror sync"


@dataclass(frozen=True)
class _Start:
    """Start of a synchronization: base tree and patch files, the old lock, the new release."""

    base: str
    mails: Mapping[str, bytes]
    lock: Lock | None
    release: UpstreamRelease

    @property
    def history(self) -> tuple[str, str] | None:
        """Old and new commit of the upstream."""
        return (self.lock.commit, self.release.commit) if self.lock else None


@dataclass(frozen=True)
class Options:
    """Options of a synchronization.

    Attributes:
        tag: the release; None takes the pinned one again, or the newest where none is pinned.
        source: another place to fetch from.
        refresh: rewrite patches that apply elsewhere.
        discard: overwrite changes in the mirrored folder.
        accept_moved_tag: take a tag that names another commit than when it was pinned.
        dry_run: change nothing.
    """

    tag: str | None = None
    source: str | None = None
    refresh: bool = False
    discard: bool = False
    accept_moved_tag: bool = False
    dry_run: bool = False


def sync(declaration: Declaration, options: Options, say: Say) -> None:
    """Bring the mirror to a release.

    Raises:
        PausedError: a patch does not apply; nothing was changed.
        ToolError: it could not be done; nothing was changed.
    """
    with at_work(declaration, say) as work:
        declaration = _again(work)
        refuse_open_run(work)
        lock = _read_lock(declaration, discard=options.discard)
        if not options.discard:
            work.refuse_changes(lock.final_tree if lock else None)
        release = _fetch(work, lock, options)
        mails = read_mails(declaration)
        base = base_tree(work.repository, release.commit, declaration, work.index)
        refuse_problems(work.repository, base, declaration)
        if lock is not None:
            remember_blobs(work, lock)
        place = options.source or declaration.url
        run = Run("sync", release.tag, place, "", list(mails))
        if options.refresh:
            _refresh(work, run, _Start(base, mails, lock, release), dry_run=options.dry_run)
            return
        paths = [declaration.patch_file(name) for name in mails]
        tree = patched_tree(work.repository, base, paths, work.index)
        if tree is None:
            raise _refused(work, run, _Start(base, mails, lock, release))
        if _is_done(work, lock, release, tree, mails):
            say(f"the mirror is at {release.tag} already")
            return
        new = Lock(SCHEMA, declaration.url, place, LockedTag(release.tag, release.oid), release.commit, base, tree)
        complete(work, new, mails, mails, lock, dry_run=options.dry_run)


def go_on(declaration: Declaration, kind: str, say: Say) -> None:
    """Take up the run that waits for a person.

    Raises:
        PausedError: the next patch needs one, too.
        ToolError: nothing waits, or the patch is not settled.
    """
    with at_work(declaration, say) as work:
        run = work.read_run()
        if run is None or run.kind != kind:
            raise ToolError("nothing waits for this command", run.going_on if run else f"{_SYNC} [TAG]")
        lock = _read_lock(declaration, discard=True)
        work.refuse_changes(lock.final_tree if lock else None)
        series = Series(work, run)
        if run.stopped:
            series.settle()
            work.keep_run(run)
        else:
            series.reset()
        stop = series.advance()
        work.keep_run(run)
        if stop is not None:
            raise paused(work, run, Trial([stop]))
        finish(work, series)


def abort(declaration: Declaration, say: Say) -> None:
    """Give up the open run, and take an interrupted switch back."""
    with at_work(declaration, say, finish=False) as work:
        undone = work.undo_switch()
        try:
            run = work.read_run()
        except ToolError:
            run = None
        work.forget_run()
        if not undone and run is None:
            say("nothing to give up")
            return
        say("the mirror is as it was" if undone else f"gave up {run.stopped or run.tag}" if run else "gave it up")


def finish(work: Work, series: Series, *, dry_run: bool = False) -> None:
    """Write the project from a run that is at its end: mirror, patches, list, lock."""
    run, declaration = series.run, work.declaration
    lock = _read_lock(declaration, discard=True)
    release = find_release(releases_in(work.repository, declaration), run.tag)
    tree, mails = series.result()
    base = work.repository.run("rev-parse", f"{run.base}^{{tree}}").text
    new = Lock(SCHEMA, declaration.url, run.fetched_from, LockedTag(run.tag, release.oid), release.commit, base, tree)
    for name in run.upstream:
        work.say(f"{'would drop' if dry_run else 'dropped'} {name}: {run.tag} has it already")
    complete(work, new, mails, read_mails(declaration), lock, dry_run=dry_run)
    work.forget_run()


def complete(
    work: Work,
    new: Lock,
    mails: Mapping[str, bytes],
    old_mails: Mapping[str, bytes],
    lock: Lock | None,
    *,
    dry_run: bool = False,
) -> None:
    """Write the project: the mirrored tree, patch files in order with their list, and the lock, `new` with patches."""
    declaration = work.declaration
    patches = tuple(LockedPatch(name, hashlib.sha256(content).hexdigest()) for name, content in mails.items())
    written = Lock(**{**vars(new), "patches": patches})
    folder = declaration.patches.folder
    files: dict[str, bytes | None] = {f"{folder}/{name}": content for name, content in mails.items()}
    files.update({f"{folder}/{name}": None for name in old_mails if name not in mails})
    if tuple(mails) != declaration.patches.order:
        text = declaration.file.read_text(encoding="utf-8")
        files[FILE] = with_order(text, list(mails), declaration.root).encode()
    else:
        files[FILE] = declaration.file.read_bytes()
    files[str(declaration.lock_file.relative_to(declaration.root))] = written.render().encode()
    rewritten = [name for name, content in mails.items() if old_mails.get(name) != content]
    _summarize(work, written, lock, rewritten, dry_run=dry_run)
    if not dry_run:
        work.switch(NextState(written.tag.name, written.final_tree, files))


def refuse_open_run(work: Work) -> None:
    """Refuse to begin while something waits for a person. Raises ToolError: it does."""
    run = work.read_run()
    if run is not None:
        waiting = f"{run.stopped} waits for a person" if run.stopped else "it was interrupted"
        name = f"a synchronization to {run.tag}" if run.kind == "sync" else "work on the patches"
        raise ToolError(f"{name} is open: {waiting}", f"`{run.going_on}`, or `{_SYNC} --abort`")


def read_mails(declaration: Declaration) -> dict[str, bytes]:
    """Return the patch files in order. Raises ToolError: one is not there."""
    mails = {}
    for name in declaration.patches.order:
        path = declaration.patch_file(name)
        if path.is_symlink() or not path.is_file():
            raise ToolError(
                f"{declaration.patches.folder}/{name} is listed, and no such file is there", "git restore it"
            )
        mails[name] = path.read_bytes()
    return mails


def remember_blobs(work: Work, lock: Lock) -> None:
    """Store the files that the patches make at the pinned release, which `am -3` merges with."""
    declaration, repository = work.declaration, work.repository
    if repository.commit_of(lock.commit) is not None:
        base = base_tree(repository, lock.commit, declaration, work.index)
        patched_tree(repository, base, [declaration.patch_file(name) for name in declaration.patches.order], work.index)


def paused(work: Work, run: Run, trial: Trial) -> PausedError:
    """Return the error of a run that waits for a person."""
    tree = work.tree.relative_to(work.declaration.root)
    count, names = len(trial.stops), [stop.name for stop in trial.stops]
    text = f"{run.tag} needs a person for {count} of {counted(len(run.names), 'patch')}: {', '.join(names)}"
    hint = f"settle {run.stopped} in {tree}, then `{run.going_on}`; or give it up: `{_SYNC} --abort`"
    return PausedError(text, hint, trial.lines)


def _refresh(work: Work, run: Run, start: _Start, *, dry_run: bool) -> None:
    """Apply the series by `am -3`; write the project, or pause at the first conflict with all of them listed."""
    series = Series.begin(work, run, start.base, start.mails)
    stop = series.advance()
    if stop is None:
        finish(work, series, dry_run=dry_run)
        return
    trial = series.try_out(stop, start.history)
    if dry_run:
        work.forget_run()
        raise PausedError(f"{run.tag} needs a person for {counted(len(trial.stops), 'patch')}", "", trial.lines)
    run = Run(run.kind, run.tag, run.fetched_from, "", run.names)
    Series.begin(work, run, start.base, start.mails).advance()
    work.keep_run(run)
    raise paused(work, run, trial)


def _refused(work: Work, run: Run, start: _Start) -> PausedError:
    """Return the error about patches that do not apply: which of them `--refresh` settles, and which a person must."""
    series = Series.begin(work, run, start.base, start.mails)
    trial = series.try_out(series.advance(), start.history)
    work.forget_run()
    lines = trial.lines + [f"{name} applies elsewhere" for name in run.merged if name not in trial.waiting]
    lines += [f"{name} is in {run.tag} already" for name in run.upstream]
    text = f"patches do not apply to {run.tag}; nothing was changed"
    hint = f"`{_SYNC} {run.tag} --refresh` rewrites what applies elsewhere"
    return PausedError(text, hint + (", and stops for the others" if trial.stops else ""), lines)


def _again(work: Work) -> Declaration:
    """Read the declaration again: a switch that was ended just now may have changed it."""
    work.declaration = read_declaration(work.declaration.root)
    return work.declaration


def _read_lock(declaration: Declaration, *, discard: bool) -> Lock | None:
    try:
        return read_lock(declaration)
    except ToolError:
        if discard:
            return None
        raise


def _fetch(work: Work, lock: Lock | None, options: Options) -> UpstreamRelease:
    releases = Source.of(work.declaration, options.source).fetch(work.repository)
    tag = options.tag or (lock.tag.name if lock else None)
    newest = latest(releases)
    if tag is None and newest is None:
        raise ToolError(
            f"{work.declaration.url} has no release {work.declaration.track}", "publish one, or look at `track`"
        )
    release = find_release(releases, tag or (newest.tag if newest else ""))
    if lock and lock.tag.name == release.tag and lock.tag.oid != release.oid and not options.accept_moved_tag:
        finding = next(moved_tag(work.declaration, lock, release, work.declaration.url))
        raise ToolError(finding.message, finding.hint)
    return release


def _is_done(work: Work, lock: Lock | None, release: UpstreamRelease, tree: str, mails: Mapping[str, bytes]) -> bool:
    if lock is None or (lock.tag.oid, lock.final_tree, lock.url) != (release.oid, tree, work.declaration.url):
        return False
    digests = {patch.name: patch.sha256 for patch in lock.patches}
    current = {name: hashlib.sha256(content).hexdigest() for name, content in mails.items()}
    return list(digests.items()) == list(current.items()) and work.mirrored_tree() == tree


def _summarize(work: Work, new: Lock, lock: Lock | None, rewritten: Sequence[str], *, dry_run: bool) -> None:
    old = lock.tag.name if lock else "nothing"
    moved = f"{old} → {new.tag.name}" if old != new.tag.name else new.tag.name
    count = ""
    before = work.mirrored_tree()
    if before:
        words = ("diff-tree", "-r", "-z", "--name-only", "--no-renames", before, new.final_tree)
        changed = counted(len(work.repository.run(*words, env=work.lending).records), "file")
        count = f", {changed} of {work.declaration.path} changed"
    work.say(f"{'would sync' if dry_run else 'synced'} {moved}{count}")
    if new.patches:
        text = f"{counted(len(new.patches), 'patch')}, {len(rewritten)} rewritten"
        work.say(text + (f": {', '.join(rewritten)}" if 0 < len(rewritten) <= _LISTED else ""))
