"""Results of a run for people: findings in columns, a summary line, and the exit status."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from extension.cli.exit_status import ALL_WELL, COULD_NOT_CHECK, FINDINGS
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import counted, family_label, named, plain, shown_time
from extension.inspection.evidence.verdict_table import VERDICTS

_COLUMNS: Final = (
    Column("Account"),
    Column("Family"),
    Column("Status"),
    Column("Recommendation"),
    Column("HTTP", optional=True),
    Column("Latency", optional=True),
)
_RESETS: Final = Column("Usable again")
_RECOMMENDATION: Final = 3
_COLORS: Final[Mapping[str, str]] = {"disable": "red", "delete": "red", "enable": "green"}
_ORDER: Final[Mapping[str, int]] = {"delete": 0, "disable": 1, "enable": 2, "keep": 3}
_UNKNOWN: Final = "unknown"


def exit_status(run: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> int:
    """Return 0 for all well, 1 for a recommendation, 2 for an incomplete run or a failure of the gateway."""
    if run["state"] != "finished" or any(result["verdict"] == _UNKNOWN for result in results):
        return COULD_NOT_CHECK
    return FINDINGS if any(result["action"] != "keep" for result in results) else ALL_WELL


def is_finding(result: Mapping[str, Any]) -> bool:
    """Return whether a result needs attention: a recommended change, or an account that could not be checked."""
    return bool(result["action"] != "keep" or result["verdict"] == _UNKNOWN)


def print_results(results: Sequence[Mapping[str, Any]], *, all_rows: bool) -> None:
    """Print findings, or all results, recommended changes first; results left out are counted by status."""
    shown = [result for result in results if all_rows or is_finding(result)]
    resets = any(result["resetsAt"] is not None for result in shown)
    columns = (*_COLUMNS[: _RECOMMENDATION + 1], _RESETS, *_COLUMNS[_RECOMMENDATION + 1 :]) if resets else _COLUMNS
    if shown:
        ordered = sorted(shown, key=lambda one: (_ORDER.get(one["action"], 0), one["displayName"]))
        print_columns(columns, [_row(result, resets=resets) for result in ordered], "Reason")


def left_out(results: Sequence[Mapping[str, Any]], *, all_rows: bool) -> str:
    """Return a line that counts the results without findings, or nothing where all rows are shown."""
    hidden = [] if all_rows else [result for result in results if not is_finding(result)]
    counts = Counter(status_label(result["verdict"]).lower() for result in hidden)
    if not counts:
        return ""
    return f"Not shown: {', '.join(f'{number:,} {label}' for label, number in counts.most_common())} (see --all)."


def summary(run: Mapping[str, Any]) -> str:
    """Return a run in one line."""
    counts = ", ".join(f"{count} {action}" for action, count in run["recommendations"].items() if count)
    reason = f" ({plain(run['reason'])})" if run["reason"] else ""
    undone = run["notCarriedOut"]
    left = f" {counted(undone, 'automatic change')} not carried out: resume the run." if undone else ""
    return (
        f"Run {run['id']} {run['state']}{reason}: {run['done']} of {counted(run['total'], 'account')}; "
        f"{counts or 'no results'}.{left}"
    )


def on_hold(run: Mapping[str, Any]) -> str:
    """Return a line about the changes of a run that are on hold, or nothing."""
    if not run["onHold"]:
        return ""
    return f"{counted(run['onHold'], 'change')} on hold. Release with: poolkeeper run release {run['id']}"


def status_label(verdict: str) -> str:
    """Return the label of an account's status."""
    row = next((row for known, row in VERDICTS.items() if known.value == verdict), None)
    return row.label if row else plain(verdict.replace("_", " ")).capitalize()


def _row(result: Mapping[str, Any], *, resets: bool) -> Row:
    latency = result["latencyMs"]
    cells = [named(result), family_label(result), status_label(result["verdict"]), str(result["action"])]
    cells += [_reset(result["resetsAt"])] if resets else []
    cells += [_http(result["status"]), "" if latency is None else f"{latency} ms"]
    return Row(cells, plain(result["reason"]), {_RECOMMENDATION: _COLORS.get(result["action"], "")})


def _reset(milliseconds: int | None) -> str:
    return "" if milliseconds is None else shown_time(milliseconds)


def _http(status: int | None) -> str:
    if status is None:
        return "not sent"
    return str(status) if status else "no answer"
