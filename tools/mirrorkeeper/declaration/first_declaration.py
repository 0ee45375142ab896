"""A first `upstream.toml`, and the attributes that keep git from converting what is mirrored."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import ToolError
from ..git.guard import GUARD
from ..project import DECLARATION, Project
from ..system.files import Files, replace_file
from ..toml.writing import toml_text
from .attribute_lines import ATTRIBUTES, add_lines
from .declaration import SCHEMA, parse_declaration

PATCHES = "patches"


class FirstDeclaration(NamedTuple):
    """The upstream to begin with: its address, its folder in the project, the pattern of its release tags.

    A second mirror of a project has a folder of `patches` of its own.
    """

    url: str
    path: str
    track: str = "v*"
    patches: str = PATCHES

    @property
    def text(self) -> str:
        """The file, with a comment for each line."""
        return (
            "# The mirrored upstream. `upstream.lock` beside this file records the release in the mirrored folder.\n\n"
            f"schema = {SCHEMA}\n"
            f"url = {toml_text(self.url)}      # anything git can fetch from\n"
            f"track = {toml_text(self.track)}      # tags of releases; `*` is the version\n"
            f"path = {toml_text(self.path)}      # nothing but the mirrored tree lies in this folder\n"
            "exclude = []      # upstream paths that are not mirrored\n"
        ) + (f"\n[patches]\nfolder = {toml_text(self.patches)}\n" if self.patches != PATCHES else "")

    @property
    def attributes(self) -> tuple[str, ...]:
        """The lines of `.gitattributes`, which stand after all others."""
        return (
            f"{self.path} !export-ignore",  # the line below holds for everything in the folder, and not for itself
            f"{self.path}/** {GUARD}",
            f"{self.patches}/*.patch -text",
        )


def write_first_declaration(project: Project, files: Files, first: FirstDeclaration) -> tuple[str, ...]:
    """Write the declaration and the attributes, and return the paths that were written.

    Raises:
        ToolError: a declaration is there already, the values are not accepted, or the project has no git repository.
    """
    if project.declaration_path.exists():
        raise ToolError(f"{project.declaration} is there already", "edit it, or name another one with --config")
    if project.declaration != DECLARATION:
        first = first._replace(patches=f"{PATCHES}-{project.declaration_path.stem}")
    if project.prefix is None:
        raise ToolError(f"{project.root} is not in a git repository", "run `git init` first")
    parse_declaration(project, first.text, project.declaration)
    # Before the declaration, so that a command that was killed between them can be repeated.
    missing = add_lines(project, files, first.attributes)
    project.declaration_path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(files, project.declaration_path, first.text.encode())
    return (project.declaration, *((ATTRIBUTES,) if missing else ()))
