"""`patch`: the declared differences to the upstream, one `git format-patch` file each, with the reason it is there."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from pathlib import Path

from .declaration import Declaration
from .errors import PausedError, ToolError
from .lock import Lock, required_lock
from .releases import Source
from .report import counted
from .repository import Repository
from .series import Series
from .sync import Say, finish, go_on, read_mails, refuse_open_run, remember_blobs
from .tree import base_tree
from .work import Run, Work, at_work

_NOW = "2000-01-01T00:00:00Z"
_PREFIX = re.compile(r"^(\[[^\]]*\]\s*)+")  # [PATCH v2 3/7]
_FIELD = re.compile(r"^(Why|Drop-When|Forwarded): (.*(?:\n[ \t].*)*)", re.MULTILINE | re.IGNORECASE)


def patch_lines(declaration: Declaration) -> Iterator[str]:
    """Yield the patches in order, each with its subject, why it is there and when it may go."""
    for name in declaration.patches.order:
        path = declaration.patch_file(name)
        if not path.is_file():
            yield f"{name}: no such file"
            continue
        subject, fields = read_reasons(path.read_bytes())
        yield f"{name}: {_PREFIX.sub('', subject)}"
        yield from (f"  {label}: {text}" for label, text in fields.items())


def read_reasons(content: bytes) -> tuple[str, dict[str, str]]:
    """Return the subject of a patch, and the lines `Why`, `Drop-When` and `Forwarded` of its message."""
    mail = BytesHeaderParser().parsebytes(content)
    body = content.partition(b"\n\n")[2].partition(b"\ndiff --git ")[0].decode("utf-8", "replace")
    fields = {match[1].capitalize(): " ".join(match[2].split()) for match in _FIELD.finditer(body)}
    return str(make_header(decode_header(" ".join(mail["Subject"].split())))) if mail["Subject"] else "", fields


def new(declaration: Declaration, name: str, reasons: tuple[str, str], say: Say) -> None:
    """Open a working tree for a new patch after all others; `reasons` say why it is there, and when it may go."""
    name = _file_name(name)
    if "/" in name or name in declaration.patches.order or declaration.patch_file(name).exists():
        raise ToolError(f"{name} is there already, or is no file name", "choose another name")
    with at_work(declaration, say) as work:
        series, lock = _at_pin(work, list(work.declaration.patches.order))
        _refuse_stop(work, series, lock)
        run = series.run
        run.names.append(name)
        run.stopped = name
        run.message = f"{name.removesuffix('.patch')}\n\nWhy: {reasons[0]}\nDrop-When: {reasons[1]}\n"
        run.author = _person(work.project)
        work.keep_run(run)
        _tell(work, run)


def edit(declaration: Declaration, name: str, say: Say) -> None:
    """Open a working tree with a patch in its files, to change it."""
    with at_work(declaration, say) as work:
        names = list(work.declaration.patches.order)
        name = _listed(name, names)
        position = names.index(name)
        series, lock = _at_pin(work, names[: position + 1])
        _refuse_stop(work, series, lock)
        run = series.run
        if name in run.upstream:
            raise ToolError(f"{name} changes nothing at {lock.tag.name}", f"python -m tools patch drop {name}")
        shown = series.tree.run("log", "-1", "--format=%an%x00%ae%x00%aI%x00%B").text
        *run.author, run.message = shown.split("\0", 3)
        series.tree.run("reset", "--quiet", "--soft", "HEAD^")
        run.head = series.tree.run("rev-parse", "HEAD").text
        run.made.remove(name)
        run.names, run.position, run.stopped = names, position, name
        work.keep_run(run)
        _tell(work, run)


def refresh(declaration: Declaration, say: Say) -> None:
    """Take in the open edit, or make all patches anew at the pinned release."""
    with at_work(declaration, say) as work:
        run = work.read_run()
        if run is None:
            series, lock = _at_pin(work, list(work.declaration.patches.order))
            _refuse_stop(work, series, lock)
            finish(work, series)
            return
    go_on(declaration, "edit", say)


def drop(declaration: Declaration, name: str, say: Say) -> None:
    """Remove a patch; where a synchronization stopped at it, go on without it."""
    with at_work(declaration, say) as work:
        run = work.read_run()
        if run is not None and run.stopped in (name, _file_name(name)) and run.kind == "sync":
            name = run.stopped
            Series(work, run).leave_out()
            work.keep_run(run)
            say(f"{name} is left out; next: `{run.going_on}`")
            return
        names = list(work.declaration.patches.order)
        name = _listed(name, names)
        names.remove(name)
        series, lock = _at_pin(work, names)
        _refuse_stop(work, series, lock)
        finish(work, series)
        say(f"dropped {name}")


def take_over(declaration: Declaration, place: Path, say: Say) -> None:
    """Take over a folder of `git format-patch` files, or a mailbox, behind the patches that are there.

    Raises PausedError: one does not apply to the pinned release; nothing was changed.
    """
    with at_work(declaration, say) as work:
        mails = _read_folder(place) if place.is_dir() else _read_mailbox(work, place) if place.is_file() else {}
        if not mails:
            raise ToolError(f"{place} holds no patch", "name a folder of *.patch files, or a mailbox")
        order = list(work.declaration.patches.order)
        twice = sorted(set(mails) & {*order, *(path.name for path in work.declaration.patch_folder.glob("*.patch"))})
        if twice:
            raise ToolError(f"{twice[0]} is there already", "rename it")
        series, lock = _at_pin(work, [*order, *mails], mails)
        _refuse_stop(work, series, lock)
        finish(work, series)
        say(f"took over {counted(len(mails), 'patch')}")


def _at_pin(work: Work, names: list[str], more: dict[str, bytes] | None = None) -> tuple[Series, Lock]:
    """Begin a series of patches at the pinned release."""
    refuse_open_run(work)
    declaration = work.declaration
    lock = required_lock(declaration)
    work.refuse_changes(lock.final_tree)
    repository = work.repository
    if repository.commit_of(lock.commit) is None:
        Source.of(declaration).fetch(repository)
    base = base_tree(repository, lock.commit, declaration, work.index)
    remember_blobs(work, lock)
    mails = {**read_mails(declaration), **(more or {})}
    run = Run("edit", lock.tag.name, lock.fetched_from, "", names)
    return Series.begin(work, run, base, mails), lock


def _refuse_stop(work: Work, series: Series, lock: Lock) -> None:
    """Apply the series; refuse one that does not apply, with all its conflicts.

    Raises PausedError: a patch does not apply; nothing was changed.
    """
    stop = series.advance()
    if stop is None:
        return
    trial = series.try_out(stop, None)
    work.forget_run()
    text = f"{counted(len(trial.stops), 'patch')} cannot be applied to {lock.tag.name}; nothing was changed"
    raise PausedError(text, "correct these patch files, or take them at the release they were made for", trial.lines)


def _tell(work: Work, run: Run) -> None:
    tree = work.tree.relative_to(work.declaration.root)
    work.say(f"{run.stopped} is open in {tree}")
    work.say(f"next: change files there, then `{run.going_on}`; or give it up: `python -m tools mirror sync --abort`")


def _person(project: Repository) -> list[str]:
    """Return name, address and date of the author of a new patch."""
    shown = project.run("var", "GIT_AUTHOR_IDENT", check=False, user=True).text
    match = re.fullmatch(r"(.+) <(.*)> (\d+ [+-]\d+)", shown)
    return [match[1], match[2], f"@{match[3]}"] if match else ["mirror", "mirror@localhost", _NOW]


def _file_name(name: str) -> str:
    return name if name.endswith(".patch") else f"{name}.patch"


def _listed(name: str, names: Sequence[str]) -> str:
    """Return the listed patch that a person names, with or without `.patch`. Raises ToolError: none is."""
    listed = next((row for row in (name, _file_name(name)) if row in names), None)
    if listed is None:
        raise ToolError(f"{name} is not listed", f"one of {', '.join(names) or 'no patches'}")
    return listed


def _read_folder(place: Path) -> dict[str, bytes]:
    """Return the patch files of a folder: in the order of its file `series`, else of their names.

    Raises ToolError: the series, as quilt has it (`folder/name.patch -p1`), is wrong.
    """
    listed, mails = place / "series", dict[str, bytes]()
    paths = sorted(place.glob("*.patch"))
    if listed.is_file():
        rows = [row.split("#")[0].split() for row in listed.read_text(encoding="utf-8").splitlines()]
        paths = [place / row[0] for row in rows if row]
    for path in paths:
        if not path.is_file() or path.name in mails:
            reason = "twice" if path.is_file() else "which is not there"
            raise ToolError(f"{listed} names {path.name}, {reason}", "correct the series, or rename the file")
        mails[path.name] = path.read_bytes()
    return mails


def _read_mailbox(work: Work, place: Path) -> dict[str, bytes]:
    mails = {}
    with tempfile.TemporaryDirectory() as folder:
        work.project.run("mailsplit", "--keep-cr", f"-o{folder}", str(place.resolve()))
        for number, path in enumerate(sorted(Path(folder).iterdir()), 1):
            content = path.read_bytes()
            subject = _PREFIX.sub("", read_reasons(content)[0])
            slug = re.sub(r"[^A-Za-z0-9.]+", "-", subject).strip("-.")[:52]
            mails[f"{number:04}-{slug or 'patch'}.patch"] = content
    return mails
