"""The table of verdicts is the only place that knows one: a new row is enough, and a gap names itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import adapter
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Kind, Verdict
from extension.inspection.evidence.verdict_table import NO_EVIDENCE, VERDICTS, cause_of, verdict_of_status
from extension.inspection.policy.circuit_breaker import KEY_FAILURES
from extension.inspection.policy.host_tally import UNPROBED
from extension.texts.catalogue import REFERENCE, catalogue

ROOT = Path(adapter.__file__).parents[1]
MEMBER = '    PARKED = "parked"\n'
ROW = """
        Verdict.PARKED: VerdictRow(
            "Parked", "The domain is parked.", kind=Kind.KEY, tone=Tone.BAD, action=Action.DISABLE,
            choice=_on_quota, statuses=(451,),
        ),
"""
LOOK = """
from adapter.port import Answer
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.evidence.verdict_table import verdict_of_status
from extension.inspection.policy.circuit_breaker import Braking, Failure, brake
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.recommendation import recommend
from extension.inspection.probes.judgement import Judgement
from extension.inspection.settings import parse_settings
from extension.reasons.reason import ReasonList

given = {"accountSource": "api_key", "decisionPolicy": "configurable"}
found = Judgement(verdict_of_status(451), ReasonList(written="Why."))
strict, lenient = (recommend(found, True, parse_settings({**given, "onQuota": how})) for how in ("disable", "keep"))
host = HostTally({found.verdict: 50})
held = brake(strict.action, Failure(found.verdict), host, parse_settings(given), run_ended=True)
print(found.verdict, strict.action, lenient.action, held[0])
"""


def extended(folder: Path, *, row: str) -> subprocess.CompletedProcess[str]:
    """Run with a copy of the inspection that knows one more verdict."""
    (folder / "extension").mkdir()
    (folder / "extension" / "__init__.py").touch()
    copy = folder / "extension" / "inspection"
    shutil.copytree(ROOT / "extension" / "inspection", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("reasons", "texts"):
        shutil.copytree(ROOT / "extension" / package, folder / "extension" / package)
    enumeration, table = copy / "evidence" / "verdict.py", copy / "evidence" / "verdict_table.py"
    last = '    UNKNOWN = "unknown"\n'
    enumeration.write_text(enumeration.read_text(encoding="utf-8").replace(last, last + MEMBER), encoding="utf-8")
    first = "= complete(\n    {"
    source = table.read_text(encoding="utf-8")
    assert first in source
    table.write_text(source.replace(first, first + row), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", LOOK]
    return subprocess.run(command, env=environment, cwd=folder, check=False, capture_output=True, text=True)


def test_a_new_verdict_takes_one_row(tmp_path: Path) -> None:
    done = extended(tmp_path, row=ROW)

    assert done.stdout.split() == ["parked", "disable", "keep", "hold"], done.stderr


@pytest.mark.parametrize("column", ["kind=Kind.KEY, ", "tone=Tone.BAD, ", "action=Action.DISABLE,"])
def test_a_row_without_a_column_fails_with_both_names(tmp_path: Path, column: str) -> None:
    done = extended(tmp_path, row=ROW.replace(column, ""))

    assert done.returncode == 1
    assert f"The row 'Parked' of VerdictRow has no column {column.partition('=')[0]}: add it." in done.stderr


def test_a_verdict_without_a_row_fails_by_its_name(tmp_path: Path) -> None:
    done = extended(tmp_path, row="")

    assert done.returncode == 1
    assert "No row in the table of verdicts for: parked." in done.stderr


def test_the_kinds_are_these() -> None:
    kinds = {kind.value: {verdict.value for verdict, row in VERDICTS.items() if row.kind is kind} for kind in Kind}

    assert kinds == {
        "works": {"healthy"},
        "key": {"invalid_key", "forbidden", "relogin_needed", "revoked"},
        "refusal": {"out_of_quota", "rate_limited", "rejected"},
        "host": {"provider_error", "unreachable"},
        "no_evidence": {"inconclusive", "blocked"},
        "not_probed": {"no_base_url", "skipped", "unknown"},
    }
    assert {verdict for verdict, row in VERDICTS.items() if row.kind is Kind.KEY} == KEY_FAILURES
    assert NO_EVIDENCE - {Verdict.INCONCLUSIVE, Verdict.BLOCKED} == UNPROBED


def test_a_verdict_without_evidence_calls_for_nothing() -> None:
    assert all(VERDICTS[verdict].action is Action.KEEP for verdict in NO_EVIDENCE)


@pytest.mark.parametrize("status", range(300, 600))
def test_every_refusal_has_words_for_its_reason(status: int) -> None:
    assert catalogue(REFERENCE).has(f"term.key_finding_{verdict_of_status(status).value}")


def test_no_two_verdicts_claim_one_status() -> None:
    claimed = [status for row in VERDICTS.values() for status in row.statuses]

    assert len(claimed) == len(set(claimed))


def test_verdicts_of_one_cause_share_one_that_stands_for_itself() -> None:
    assert all(cause_of(cause_of(verdict)) is cause_of(verdict) for verdict in Verdict)
    assert cause_of(Verdict.UNREACHABLE) is Verdict.PROVIDER_ERROR
    assert cause_of(Verdict.OUT_OF_QUOTA) is Verdict.RATE_LIMITED
    assert cause_of(Verdict.BLOCKED) is Verdict.FORBIDDEN
