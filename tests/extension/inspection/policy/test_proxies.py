"""Failures behind a proxy: what fails alike there is the proxy's."""

import pytest

from adapter.port import NoAnswerKind
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.circuit_breaker import Failure
from extension.inspection.policy.proxies import Proxies
from extension.inspection.policy.streak import NO_STREAK, Streak
from extension.inspection.settings import parse_settings
from extension.reasons.codes import HoldCode

ON = parse_settings({"accountSource": "api_key"})
OFF = parse_settings({"accountSource": "api_key", "brake": False})
DAY = 24 * 60 * 60_000
NOW = 30 * DAY
LASTING, SETTLED = Streak(1, NOW - DAY), Streak(2, NOW - DAY)
SILENT = NoAnswerKind.UNKNOWN
"""Kind of a missing answer at a stock gateway, which does not tell a dead proxy from a dead host."""


def behind(proxy: str, *verdicts: Verdict) -> Proxies:
    """Return the probes of one account at each of some hosts behind a proxy."""
    proxies = Proxies()
    for number, verdict in enumerate(verdicts):
        proxies.add(proxy, Failure(verdict), works=verdict is Verdict.HEALTHY)
        silence = SILENT if verdict is Verdict.UNREACHABLE else None
        proxies.hear(proxy, f"https://host-{number}.example/v1/models", silence)
    return proxies


def code_of(proxies: Proxies, verdict: Verdict, streak: Streak = NO_STREAK, proxy: str = "p") -> str:
    silence = SILENT if verdict is Verdict.UNREACHABLE else None
    reason = proxies.objection(proxy, Failure(verdict, at=NOW, streak=streak), silence, ON)
    return "" if reason is None else reason.code


@pytest.mark.parametrize("hosts", [1, 2, 20])
@pytest.mark.parametrize("streak", [NO_STREAK, LASTING, SETTLED])
def test_a_silence_behind_a_proxy_that_delivered_no_answer_counts_in_no_run(hosts: int, streak: Streak) -> None:
    proxies = behind("p", *[Verdict.UNREACHABLE] * hosts)
    proxies.hear("", "https://direct.example/v1/models", None)
    proxies.hear("other", "https://proxied.example/v1/models", None)

    assert code_of(proxies, Verdict.UNREACHABLE, streak) == HoldCode.PROXY_SILENT


def test_the_way_out_of_the_gateway_is_suspect_of_the_silence_of_several_hosts_alone() -> None:
    assert code_of(behind("", Verdict.UNREACHABLE), Verdict.UNREACHABLE, proxy="") == ""
    both = behind("", Verdict.UNREACHABLE, Verdict.UNREACHABLE)
    both.hear("other", "https://proxied.example/v1/models", None)
    assert code_of(both, Verdict.UNREACHABLE, proxy="") == HoldCode.OWN_NETWORK


@pytest.mark.parametrize(
    ("verdicts", "streak", "code"),
    [
        ((Verdict.FORBIDDEN, Verdict.FORBIDDEN), LASTING, HoldCode.SHARED_BY_PROXY),
        ((Verdict.FORBIDDEN, Verdict.FORBIDDEN), SETTLED, ""),
        ((Verdict.FORBIDDEN, Verdict.FORBIDDEN, Verdict.HEALTHY), LASTING, ""),
        ((Verdict.INVALID_KEY, Verdict.INVALID_KEY), LASTING, HoldCode.SHARED_BY_PROXY),
        ((Verdict.INVALID_KEY, Verdict.PROVIDER_ERROR, Verdict.RATE_LIMITED), LASTING, ""),
        ((Verdict.INVALID_KEY,), LASTING, ""),
        ((Verdict.PROVIDER_ERROR, Verdict.PROVIDER_ERROR), SETTLED, HoldCode.SHARED_BY_PROXY),
        ((Verdict.PROVIDER_ERROR, Verdict.UNREACHABLE, Verdict.HEALTHY), SETTLED, HoldCode.SHARED_BY_PROXY),
        ((Verdict.PROVIDER_ERROR, Verdict.HEALTHY, Verdict.HEALTHY), LASTING, ""),
    ],
)
def test_a_failure_that_most_accounts_behind_a_proxy_share_is_the_proxys(
    verdicts: tuple[Verdict, ...], streak: Streak, code: str
) -> None:
    assert code_of(behind("p", *verdicts), verdicts[0], streak) == code


def test_with_the_breaker_off_every_failure_counts() -> None:
    proxies = behind("p", Verdict.UNREACHABLE, Verdict.UNREACHABLE)

    assert proxies.objection("p", Failure(Verdict.UNREACHABLE), SILENT, OFF) is None
