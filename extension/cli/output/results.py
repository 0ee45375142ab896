"""Results of a run for people: findings in columns, a summary line, and the exit status."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from extension.cli.exit_status import ALL_WELL, COULD_NOT_CHECK, FINDINGS
from extension.cli.language.reasons import reasons_text
from extension.cli.language.texts import text, token_text
from extension.cli.output.account_name import named
from extension.cli.output.columns import Row, columns, print_columns
from extension.cli.output.text import action_name, family_label, listed, plain, shown_time
from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import VERDICTS, of_kind
from extension.reasons.codes import ReasonCode
from extension.store.run_state import RESUMABLE

_RECOMMENDATION: Final = 3
_COLORS: Final[Mapping[str, str]] = {"disable": "red", "delete": "red", "enable": "green"}
_ORDER: Final[Mapping[str, int]] = {"delete": 0, "disable": 1, "enable": 2, "keep": 3}
_NOT_CHECKED: Final = of_kind(Kind.NOT_PROBED)
_ON_PURPOSE: Final = frozenset({ReasonCode.EXCLUDED, ReasonCode.TRAFFIC_WORKED, ReasonCode.TRAFFIC_WORKED_ONCE})
"""Codes of the reasons not to check an account that a person has chosen."""


def exit_status(run: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> int:
    """Return 0 for all well, 1 for findings, 2 for an incomplete run or one that could check nothing."""
    findings = [result for result in results if is_finding(result)]
    unchecked = findings and all(result["verdict"] in _NOT_CHECKED for result in results)
    if run["state"] != "finished" or unchecked:
        return COULD_NOT_CHECK
    return FINDINGS if findings else ALL_WELL


def is_finding(result: Mapping[str, Any]) -> bool:
    """Return whether a result needs attention: a recommended change, or an account neither healthy nor left out.

    A disabled account, or one that was deliberately not checked, is left out on purpose.
    """
    if result["action"] != "keep" or result["verdict"] == Verdict.UNKNOWN:
        return True
    deliberate = result.get("enabled") is False or any(why["code"] in _ON_PURPOSE for why in result.get("reasons", ()))
    return not deliberate and result["verdict"] != Verdict.HEALTHY


def print_results(results: Sequence[Mapping[str, Any]], *, all_rows: bool) -> None:
    """Print findings, or all results, recommended changes first; results left out are counted by status."""
    shown = [result for result in results if all_rows or is_finding(result)]
    resets = any(result["resetsAt"] is not None for result in shown)
    if shown:
        ordered = sorted(shown, key=lambda result: (_ORDER.get(result["action"], 0), result["displayName"]))
        rows = [_row(result, resets=resets) for result in ordered]
        usable = ["usable_again"] if resets else []
        heads = columns("account", "family", "status", "recommendation", *usable, optional=["http", "latency"])
        print_columns(heads, rows, text("table_head.reason"))


def left_out(results: Sequence[Mapping[str, Any]], *, all_rows: bool) -> str:
    """Return a line that counts the results without findings, or nothing where all rows are shown."""
    hidden = [] if all_rows else [result for result in results if not is_finding(result)]
    counts = Counter(_hidden_label(result) for result in hidden)
    if not counts:
        return ""
    names = [text("terminal.count_of", n=number, name=label) for label, number in counts.most_common()]
    return text("terminal.not_shown", counts=listed(names))


def _hidden_label(result: Mapping[str, Any]) -> str:
    """Return the status of a result without a finding; one of a disabled account needs no change whatever it is."""
    label = status_label(result["verdict"])
    return text("terminal.disabled_ones", name=label) if result.get("enabled") is False else label


def summary(run: Mapping[str, Any]) -> str:
    """Return a run in one line."""
    why = plain(reasons_text(run.get("reasons", ()), run["reason"]))
    reason = text("terminal.in_brackets", reason=why) if why else ""
    undone = _not_carried_out(run) if run["notCarriedOut"] else ""
    counts = recommended(run, *run["recommendations"]) or text("terminal.no_results")
    words = {"run": str(run["id"]), "state": run_state(run), "reason": reason, "counts": counts}
    return text("terminal.run_line", n=run["total"], done=run["done"], **words) + undone


def _not_carried_out(run: Mapping[str, Any]) -> str:
    """Return the number of automatic changes that were not carried out, with the next step."""
    undone = run["notCarriedOut"]
    if run["state"] in RESUMABLE:
        return text("terminal.not_carried_out", n=undone)
    return text("terminal.not_accepted", n=undone, run=str(run["id"]))


def recommended(run: Mapping[str, Any], *actions: str) -> str:
    """Return the numbers of recommendations of these actions, and how many changes of all were put on hold."""
    numbers = [(run["recommendations"][name], token_text("action", name, name)) for name in actions]
    counts = listed([text("terminal.count_of", n=number, name=name) for number, name in numbers if number])
    return counts + "".join(text("terminal.in_brackets", reason=words) for words in _put_on_hold(run))


def _put_on_hold(run: Mapping[str, Any]) -> list[str]:
    """Return the number of changes that a run put on hold, with the number of those that still are."""
    number, still = run["onHold"], _still_on_hold(run)
    if not number:
        return []
    key = "terminal.of_these_on_hold" if still == number else "terminal.of_these_on_hold_since"
    return [text(key, n=number, left=still)]


def _still_on_hold(run: Mapping[str, Any]) -> int:
    # A service of an earlier version counts in `onHold` those that are on hold now.
    return int(run.get("stillOnHold", run["onHold"]))


def run_state(run: Mapping[str, Any]) -> str:
    """Return the state of a run in words."""
    return token_text("run_state", str(run["state"]), plain(run["state"]))


def on_hold(run: Mapping[str, Any]) -> str:
    """Return a line about the changes of a run that are on hold, or nothing."""
    number = _still_on_hold(run)
    return text("terminal.on_hold", n=number, run=str(run["id"])) if number else ""


def status_label(verdict: str) -> str:
    """Return the label of an account's status."""
    row = next((row for member, row in VERDICTS.items() if member.value == verdict), None)
    return token_text("status", verdict, row.label) if row else plain(verdict.replace("_", " ")).capitalize()


def _row(result: Mapping[str, Any], *, resets: bool) -> Row:
    latency = result["latencyMs"]
    cells = [named(result), family_label(result), status_label(result["verdict"]), _recommendation(result)]
    cells += [_reset(result["resetsAt"])] if resets else []
    cells += [_http(result["status"]), "" if latency is None else text("terminal.milliseconds", n=latency)]
    reason = plain(reasons_text(result.get("reasons", ()), result["reason"]))
    return Row(cells, reason, {_RECOMMENDATION: _COLORS.get(result["action"], "")})


def _recommendation(result: Mapping[str, Any]) -> str:
    name = action_name(result)
    return text("terminal.recommended_on_hold", action=name) if result.get("onHold") else name


def _reset(milliseconds: int | None) -> str:
    return "" if milliseconds is None else shown_time(milliseconds)


def _http(status: int | None) -> str:
    if status is None:
        return text("terminal.not_sent")
    return str(status) if status else text("terminal.no_answer")
