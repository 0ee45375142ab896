"""Command `entry`."""

from __future__ import annotations

import click

from ..errors import CLEAN
from .context import finish, output_option
from .invocation import Invocation
from .printing import say


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail when the entry is outdated.")
@output_option
@click.pass_context
def entry(ctx: click.Context, output_format: str, *, check: bool) -> None:
    """Generate the entry point from the mirrored one, by anchors that must each match exactly once.

    A line in .gitattributes keeps clones from changing its line ends.
    """
    from ..declaration.attribute_lines import ATTRIBUTES, keep_line_ends
    from ..declaration.declaration import read_declaration
    from ..entry.generator import check_entry, write_entry
    from ..system.files import DiskFiles

    project = ctx.ensure_object(Invocation).project()
    if check:
        finish(ctx, check_entry(project), output_format)
    from ..patch.release.settling import settle_refresh

    settle_refresh(project, say)
    report = write_entry(project, DiskFiles())
    declared = read_declaration(project).entry
    line = keep_line_ends(project, DiskFiles(), declared.target) if declared and report.status == CLEAN else ""
    if line:
        say(f"written: {ATTRIBUTES}: {line}")
    finish(ctx, report, output_format)
