"""Rows in aligned columns for any width.

Words are never broken. Optional columns go first when the width is short, from the right. A long first cell gets a line
of its own. On a terminal that is still too narrow, cells of a column that can be fitted are cut. A note stands beside
its row where it has room, and below it otherwise.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import click
from rich.cells import cell_len

from extension.cli.language.texts import token_text
from extension.cli.output.account_name import fitted
from extension.cli.output.text import width as terminal_width
from extension.cli.wrapping import wrapped

_GAP: Final = 2
_LEAST_FIRST: Final = 12
_LEAST_NOTE: Final = 40
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class Column:
    """Heading of a column; an `optional` one is left out where the width is short.

    `fit` shortens a cell to a number of columns.
    """

    heading: str
    optional: bool = False
    fit: Callable[[str, int], str] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Cells of a row, a note, and a color by number of the cell."""

    cells: Sequence[str]
    note: str = ""
    colors: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


def columns(*heads: str, optional: Sequence[str] = ()) -> tuple[Column, ...]:
    """Return columns by the names of their headings, the optional ones last; the name of an account can be cut."""
    return tuple(
        Column(token_text("table_head", head, head), head in optional, fitted if head == "account" else None)
        for head in (*heads, *optional)
    )


def print_columns(columns: Sequence[Column], rows: Sequence[Row], note_heading: str = "") -> None:
    """Print rows at the width of the terminal, in color on a terminal unless NO_COLOR is set."""
    terminal, width = sys.stdout.isatty(), terminal_width()
    colored = terminal and not os.environ.get("NO_COLOR")
    if terminal:
        rows = fitted_rows(columns, rows, width)
    for line in render(columns, rows, width, note_heading, colored=colored):
        click.echo(line)


def print_lines(text: str) -> None:
    """Print a paragraph, wrapped between words."""
    click.echo("\n".join(wrapped(text, terminal_width(), _INDENT, "")))


def fitted_rows(columns: Sequence[Column], rows: Sequence[Row], width: int) -> Sequence[Row]:
    """Cut the cells that can be fitted, where a line would be longer than `width` columns."""
    shown = _shown(columns, rows, width)
    widths = {number: _widest(columns, rows, number) for number in shown}
    over = sum(widths.values()) + _GAP * (len(shown) - 1) - width
    rooms = {number: width if number == shown[0] else widths[number] - over for number in shown}
    return [replace(row, cells=_fitted(columns, row.cells, rooms)) for row in rows] if over > 0 else rows


def render(
    columns: Sequence[Column], rows: Sequence[Row], width: int, note_heading: str = "", *, colored: bool = False
) -> list[str]:
    """Lay rows out in lines of at most `width` columns, where no single word is longer."""
    shown = _shown(columns, rows, width)
    widths = [_widest(columns, rows, number) for number in shown]
    rest = sum(widths[1:]) + _GAP * (len(widths) - 1)
    widths[0] = min(widths[0], max(_LEAST_FIRST, width - rest))
    room = width - rest - widths[0] - _GAP
    longest = max((cell_len(row.note) for row in rows), default=0)
    beside = room if longest and room >= min(_LEAST_NOTE, max(longest, cell_len(note_heading))) else 0
    heading = Row([column.heading for column in columns], note_heading if beside else "")
    lines: list[str] = []
    for row in (heading, *rows):
        lines += _lines(row, shown, widths, width, beside, colored=colored)
    return lines


def _shown(columns: Sequence[Column], rows: Sequence[Row], width: int) -> list[int]:
    shown = list(range(len(columns)))
    for number in reversed(range(len(columns))):
        total = sum(_widest(columns, rows, place) + _GAP for place in shown) - _GAP
        if total > width and columns[number].optional:
            shown.remove(number)
    return shown


def _fitted(columns: Sequence[Column], cells: Sequence[str], rooms: Mapping[int, int]) -> Sequence[str]:
    """Cut the cells of a row; the first one has the whole width, because a long one gets a line of its own."""
    fits = [column.fit for column in columns]
    return [
        cell if (fit := fits[number]) is None or number not in rooms else fit(cell, rooms[number])
        for number, cell in enumerate(cells)
    ]


def _widest(columns: Sequence[Column], rows: Sequence[Row], number: int) -> int:
    return max(cell_len(columns[number].heading), *(cell_len(row.cells[number]) for row in rows), 0)


def _lines(
    row: Row, shown: Sequence[int], widths: Sequence[int], width: int, beside: int, *, colored: bool
) -> list[str]:
    first = row.cells[shown[0]]
    lines = [first] if cell_len(first) > widths[0] else []
    cells = [
        _cell("" if lines and place == 0 else row.cells[number], widths[place], row.colors.get(number, ""), colored)
        for place, number in enumerate(shown)
    ]
    line = (" " * _GAP).join(cells)
    if beside and row.note:
        start = sum(widths) + _GAP * len(widths)
        note = wrapped(row.note, start + beside, " " * start) or [""]
        return [*lines, f"{line}{' ' * _GAP}{note[0].lstrip()}", *note[1:]]
    return [*lines, line.rstrip(), *wrapped(row.note, width, _INDENT)]


def _cell(text: str, width: int, color: str, colored: bool) -> str:
    padding = " " * max(0, width - cell_len(text))
    return f"{click.style(text, fg=color) if colored and color else text}{padding}"
