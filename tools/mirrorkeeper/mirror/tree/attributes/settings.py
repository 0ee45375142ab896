"""Attributes and settings of the project by which a checkout would write other bytes than git stores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from ....declaration.declaration import Declaration
from ....findings import Finding
from ....git.command import Git
from ....project import Project
from ....system.working_folder import working_folder
from ....text import counted
from ....tool_name import TOOL
from .named_attributes import sets_anything
from .sources import own_files
from .values import AttributeFiles, asked_names, effects, values_of

_HARMLESS = ("unset", "unspecified")
_CONVERTING = ("text", "eol", "working-tree-encoding", "ident", "filter")
"""Those that change bytes on checkout; of mirrored files all but the first are found one by one as ENV009."""
_HARMLESS_ON_PATCHES = ("text", "crlf", "eol=lf", "export-ignore", "merge")


def attribute_findings(project: Project, declaration: Declaration) -> Iterator[Finding]:
    """Yield effects of the project's own attributes on patches and mirrored files.

    The mirrored tree's attributes are left out: they are the upstream's, and nothing outside of it overrides them.
    """
    if project.prefix is None:
        return
    patches, mirror = declaration.patch_folder, declaration.path
    with working_folder("attributes-") as folder:
        own = _OwnAttributes(project, declaration, Path(folder))
        for path, pattern in ((f"{patches}/any.patch", f"{patches}/*.patch"), (f"{mirror}/any-file", f"{mirror}/**")):
            file, value = own.text(path, _CONVERTING if path.startswith(f"{patches}/") else _CONVERTING[:1])
            if value not in _HARMLESS:
                text = f"{pattern} are text to git ({value}): line endings may change on checkout"
                yield Finding("ENV003", file.encode(), text, f"add `{pattern} -text` to {file}")


def patch_conversions(project: Project, declaration: Declaration) -> Iterator[Finding]:
    """Yield what converts patch files in every clone; whether they are text at all is left to the doctor."""
    if project.prefix is None:
        return
    shown = [f"{declaration.patch_folder}/{name}" for name in declaration.patches]
    paths = [(project.prefix + path).encode("utf-8", "surrogateescape") for path in shown]
    found: dict[str, list[str]] = {}
    for own in own_files(project, shown[0] if shown else ""):
        if not any(map(sets_anything, own.values())):
            continue
        names = asked_names(own.values())
        for path, values in zip(shown, values_of(AttributeFiles(own), paths, names, ignore_case=False), strict=True):
            for effect in effects(values):
                if not effect.startswith(_HARMLESS_ON_PATCHES) and path not in found.setdefault(effect, []):
                    found[effect].append(path)
    for effect, patches in found.items():
        aside = f" and {counted(len(patches) - 1, 'other patch', 'other patches')}" if patches[1:] else ""
        text = f"attributes set {effect} on it{aside}: clones hold another patch"
        yield Finding("ENV003", patches[0].encode(), text, f"take the attribute of `{patches[0]}` out")


def conversion_findings(project: Project, declaration: Declaration) -> Iterator[Finding]:
    """A note when the person's own settings give mirrored files other line endings on checkout."""
    if project.prefix is None:
        return
    text = _attribute(project.git, f"{declaration.path}/any-file", _CONVERTING[:1])
    for name, value, exposed in (
        ("core.autocrlf", "true", text != "unset"),
        ("core.eol", "crlf", text not in _HARMLESS),
    ):
        if exposed and _setting(project, name) == value:
            said = f"{name} is {value}: a checkout gives text files of the mirror other line endings"
            fix = f"git config {name} {'false' if value == 'true' else 'lf'} && {TOOL} mirror sync --discard"
            yield Finding("ENV007", declaration.path.encode(), said, fix)


def _setting(project: Project, name: str) -> str:
    """A setting as it holds for the person, not for the git these tools start."""
    listed = project.git.run("config", "--show-scope", "--get-all", name, check=False, network=True).text
    values = [value for scope, _, value in (line.partition("\t") for line in listed.splitlines()) if scope != "command"]
    return values[-1].lower() if values else ""


def _attribute(git: Git, path: str, names: Sequence[str], environment: dict[str, str] | None = None) -> str:
    literal = {"GIT_LITERAL_PATHSPECS": "0", **(environment or {})}  # the command refuses it
    asked = dict.fromkeys(("text", *names))
    listed = git.run("check-attr", "-z", *asked, "--", path, environment=literal).text.split("\0")
    values = dict(zip(listed[1::3], listed[2::3], strict=False))
    if values.get("text") == "unset":  # then no line ends are converted
        values.pop("eol", None)
    found = ((name, values.get(name, "unset")) for name in names)
    return next((name if name == "ident" else value for name, value in found if value not in _HARMLESS), values["text"])


class _OwnAttributes:
    """A folder with nothing in it but the attribute files beside and above the mirror, for git to read."""

    def __init__(self, project: Project, declaration: Declaration, folder: Path) -> None:
        """Copy the files into the empty folder, a repository without attributes of its own."""
        self._prefix = project.prefix or ""
        self._folder = folder
        self._index = {"GIT_INDEX_FILE": str(folder / "no-index")}
        self._repository = Path(project.git.run("rev-parse", "--absolute-git-dir").text)
        Git(folder).run("init", "--quiet", ".")
        for path in (f"{declaration.path}/any-file", f"{declaration.patch_folder}/any.patch"):
            for above in PurePosixPath(self._prefix + path).parents:
                source, target = project.top / above / ".gitattributes", folder / above
                if source.is_file() and above != PurePosixPath(self._prefix + declaration.path):
                    target.mkdir(parents=True, exist_ok=True)
                    (target / source.name).write_bytes(source.read_bytes())

    def text(self, path: str, names: Sequence[str]) -> tuple[str, str]:
        """The value of the first of these attributes that a path of the project has, and the file to change it in."""
        value = _attribute(Git(self._folder), self._prefix + path, names, self._index)
        if value not in _HARMLESS:
            return ".gitattributes", value
        places = {**self._index, "GIT_WORK_TREE": str(self._folder)}
        local = _attribute(Git(self._folder, git_dir=self._repository), self._prefix + path, names, places)
        return ".git/info/attributes", local
