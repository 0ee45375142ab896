"""Proxies of accounts: what fails alike behind one proxy is the proxy's; pure.

Theory of operation. A proxy that is down, or refuses everything, makes accounts fail on hosts that have nothing else in
common, so that the circuit breaker, which compares the accounts of a host, sees single failures. A stock gateway
(v7.2.140) reports a dead proxy like a dead host. So a silence behind a proxy counts only if the proxy delivered some
answer in the same run, and a failure that most accounts behind a proxy share counts only against a refused key: beside
an account that works there, or once three runs over at least 24 hours agree. Accounts without a proxy of their own
share the way out of the gateway, of which only a silence of several hosts is suspect.
"""

from collections import defaultdict

from extension.inspection.policy.circuit_breaker import KEY_FAILURES, Failure
from extension.inspection.policy.host_tally import HostTally
from extension.inspection.policy.own_network import OwnNetwork
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import HoldCode
from extension.reasons.reason import HoldReason


class Proxies:
    """Probes of one run by proxy; an account without one has an empty mark."""

    def __init__(self) -> None:
        self._networks: dict[str, OwnNetwork] = {}
        self._tallies: defaultdict[str, HostTally] = defaultdict(HostTally)

    def hear(self, proxy: str, url: str, silence: str | None) -> None:
        """Count one probe by the address of its request; `silence` is the kind of a missing answer, None for one."""
        self._networks.setdefault(proxy, OwnNetwork(1 if proxy else 2)).hear(url, silence)

    def add(self, proxy: str, failure: Failure, *, works: bool) -> None:
        """Count one judged probe."""
        self._tallies[proxy].add(failure.verdict, works=works)

    def objection(
        self, proxy: str, failure: Failure, silence: str | None, settings: InspectionSettings
    ) -> HoldReason | None:
        """Return the reason for which a failure does not count, or None; with the breaker off every one does."""
        network, tally = self._networks.get(proxy), self._tallies[proxy]
        if not settings.brake:
            return None
        if silence is not None and network is not None and network.is_suspect(silence):
            return HoldReason(HoldCode.PROXY_SILENT if proxy else HoldCode.OWN_NETWORK)
        alike = tally.alike(failure.verdict)
        if not proxy or alike <= 1 or tally.share(failure.verdict) < settings.brake_share:
            return None
        if failure.verdict in KEY_FAILURES and (tally.successes or failure.streak.is_settled(failure.at)):
            return None
        return HoldReason(HoldCode.SHARED_BY_PROXY, {"alike": alike, "probes": tally.probes})
