"""What a run found, for people: a table, a summary, and the exit status."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from extension.inspection.oauth.window import shown_time

ALL_WELL: Final = 0
FINDINGS: Final = 1
COULD_NOT_CHECK: Final = 2

_COLUMNS: Final = ("Account", "Family", "Verdict", "Status", "Latency", "Recommendation", "Reason")
_RESETS: Final = "Usable again"
_COLOURS: Final[Mapping[str, str]] = {"disable": "red", "delete": "red", "enable": "green", "keep": ""}
_ORDER: Final[Mapping[str, int]] = {"delete": 0, "disable": 1, "enable": 2, "keep": 3}


def exit_status(run: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> int:
    """Judge a run: 0 all well, 1 something is recommended, 2 it did not finish or the gateway was in trouble.

    Source: inspection, decision table: `unknown` is counted apart and makes 2.
    """
    if run["state"] != "finished" or any(result["verdict"] == "unknown" for result in results):
        return COULD_NOT_CHECK
    return FINDINGS if any(result["action"] != "keep" for result in results) else ALL_WELL


def verdict_table(results: Sequence[Mapping[str, Any]]) -> Table:
    """Lay results out, what needs a decision first; when a quota comes back is shown where that is told of any."""
    resets = any(result["resetsAt"] is not None for result in results)
    columns = (*_COLUMNS, _RESETS) if resets else _COLUMNS
    table = Table(*columns, header_style="bold", box=None, pad_edge=False)
    for result in sorted(results, key=lambda one: (_ORDER.get(one["action"], 0), one["displayName"])):
        table.add_row(
            named(result),
            plain(result["family"] or result["provider"]),
            plain(result["verdict"].replace("_", " ")),
            plain(_status(result["status"])),
            plain("" if result["latencyMs"] is None else f"{result['latencyMs']} ms"),
            Text(result["action"], style=_COLOURS.get(result["action"], "")),
            plain(result["reason"]),
            *([plain(_time(result["resetsAt"]))] if resets else []),
        )
    return table


def summary(run: Mapping[str, Any]) -> str:
    """Put a run in one line."""
    counts = ", ".join(f"{count} {action}" for action, count in run["recommendations"].items() if count)
    reason = f" ({plain(run['reason'])})" if run["reason"] else ""
    return (
        f"Run {run['id']} {run['state']}{reason}: {run['done']} of {counted(run['total'], 'account')}; "
        f"{counts or 'no results'}."
    )


def named(account: Mapping[str, Any]) -> Text:
    """Show the name of an account with our number of it: names may be alike, and `--account` wants the number."""
    return plain(f"{account['displayName']} #{account['account']}")


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with the word for what it counts."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def plain(text: object) -> Text:
    """Show foreign text as it is: no markup, no control characters that would steer the terminal."""
    return Text("".join(character if character.isprintable() else "\ufffd" for character in str(text)), overflow="fold")


def _time(milliseconds: int | None) -> str:
    return "" if milliseconds is None else shown_time(milliseconds)


def _status(status: int | None) -> str:
    if status is None:
        return "not sent"
    return str(status) if status else "no answer"
