"""The state behind the stand-in: runs land when the test says so, and every change leaves an event."""

import asyncio
from typing import Any

from tests.browser.stand_in.consequences import FollowUp
from tests.browser.stand_in.delay import Delays
from tests.browser.stand_in.pool import JSON, demo_accounts, judged

KEY = "a-management-key-of-the-stand-in"
NOW = 1_795_000_000_000
ACTIVE = {"running", "paused", "stopping"}

DEFAULTS: JSON = {
    "accountSource": "oauth",
    "targetType": "all",
    "apiKeyFamily": "all",
    "providerFilter": "",
    "probeModel": "",
    "probePromptMode": "fixed",
    "modelsPath": "auto",
    "autoActionMode": "none",
    "realtimeAutoActions": {"disable": True, "enable": True, "delete": False},
    "decisionPolicy": "first_phase",
    "onQuota": "keep",
    "onServerError": "keep",
    "workers": 32,
    "timeoutSeconds": 15,
    "retries": 1,
    "hostLimit": 0,
    "sampleSize": 0,
    "evidenceFirst": False,
    "evidenceChecks": True,
    "checkDepth": "connectivity",
    "shortWindowPercent": 100,
    "longWindowPercent": 100,
    "brake": True,
    "brakeShare": 0.5,
    "brakeMinimum": 20,
    "disableLimit": 0.5,
    "disableMinimum": 20,
    "keepAtLeast": 0,
    "familyDefaultAddress": False,
    "previewCharacters": 280,
}


class StandInService:
    """The service that the page talks to in a test; `land` and the other verbs come from the test's thread."""

    def __init__(self, accounts: list[JSON] | None = None) -> None:
        self.accounts = accounts if accounts is not None else demo_accounts()
        self.paused = False
        self.capabilities: list[str] = []
        self.settings: JSON = {}
        self.signed_in: set[int] = set()
        """Accounts that have signed in at their vendor."""
        self.skipped: list[JSON] = []
        self.runs: list[JSON] = []
        self.results: list[JSON] = []
        self.events: list[JSON] = []
        self.requests: list[tuple[str, str, Any]] = []
        self.sessions: set[str] = set()
        self.streams = True
        self.hang_ups = 0
        self.streams_flow = flowing()
        self.reads_flow = flowing()
        self.follow_up = FollowUp()
        self.delays = Delays()
        self.refused_log_ins = 0
        self.changed = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None

    def in_scope(self, source: str, family: str, text: str) -> list[JSON]:
        """Return the accounts of a source, of a family or, among files, of a provider, and of a provider filter."""
        kind = "family" if source == "api_key" else "provider"
        fields = ("provider", "label", "compatName", "baseUrl", "fileName")
        return [
            account
            for account in self.accounts
            if account["accountSource"] == source
            and family in ("all", account[kind])
            and any(text.lower() in account[field].lower() for field in fields)
        ]

    def start(self, settings: JSON, *, is_told: bool = True) -> JSON:
        """Begin a run over what is in scope; nothing lands before `land`. With `told` pages hear of it."""
        chosen = self.in_scope(settings["accountSource"], settings["targetType"], settings["providerFilter"])
        run = {
            "id": len(self.runs) + 1,
            "state": "running",
            "accountSource": settings["accountSource"],
            "targetType": settings["targetType"],
            "settings": settings,
            "total": len(chosen),
            "done": 0,
            "verdicts": {},
            "recommendations": dict.fromkeys(("keep", "enable", "disable", "delete"), 0),
            "startedAt": NOW,
            "finishedAt": None,
            "startedBy": "operator",
            "reason": "",
            "reasons": [],
            "gatewaySecondsPerCall": None,
            "schedule": None,
            "onHold": 0,
            "notCarriedOut": 0,
        }
        self.runs.append(run)
        if is_told:
            self.emit("run.state", run["id"], state="running")
        return run

    def land(self, count: int | None = None) -> None:
        """Let this many more results of the newest run land, all of them by default; the last one ends it."""
        run = self.runs[-1]
        settings = run["settings"]
        chosen = self.in_scope(settings["accountSource"], settings["targetType"], settings["providerFilter"])
        for account in chosen[run["done"] : None if count is None else run["done"] + count]:
            result = judged(account, len(self.results) + 1, run["id"])
            self.results.append(result)
            account["lastResult"] = result
            run["recommendations"][result["action"]] += 1
            run["done"] += 1
        self.emit("result", run["id"], seqs=[result["seq"] for result in self.results[-run["done"] :]])
        self.emit("run.progress", run["id"], done=run["done"], total=run["total"])
        if run["done"] == run["total"]:
            self.end("finished")

    def end(self, state: str, reason: str = "") -> None:
        """Put the newest run into a final state."""
        self.runs[-1].update(state=state, finishedAt=NOW + 3200, reason=reason)
        self.emit("run.state", self.runs[-1]["id"], state=state)

    def switch(self, ids: list[int], *, disabled: bool) -> list[JSON]:
        """Disable or enable accounts; a switch that is not there is refused."""
        actions = []
        for number in ids:
            account = next(account for account in self.accounts if account["id"] == number)
            refused = account["switch"] == "none"
            if not refused:
                account["enabled"] = not disabled
            text = account["switchReason"] or "Written to config.yaml and read back."
            actions.append(self._action(account, "disable" if disabled else "enable", text, refused=refused))
        self.emit("action", None, ids=[action["id"] for action in actions])
        return actions

    def delete(self, ids: list[int]) -> list[JSON]:
        """Delete the files of these accounts."""
        gone = [account for account in self.accounts if account["id"] in ids]
        self.accounts = [account for account in self.accounts if account["id"] not in ids]
        self.emit("pool", None)
        return [self._action(account, "delete", "The file is gone.", refused=False) for account in gone]

    def begin_sign_in(self, account: int) -> JSON | None:
        """Begin a sign-in, whose number is that of the account; None for one of a provider without an address."""
        (row,) = [row for row in self.accounts if row["id"] == account]
        url = f"https://vendor.example/authorize?account={account}"
        answer = {"action": account, "url": url, "state": f"state-{account}", "userCode": "", "takesCallback": True}
        return answer if row["provider"] in {"claude", "codex"} else None

    def follow_sign_in(self, account: int, *, is_over: bool) -> JSON:
        (row,) = [row for row in self.accounts if row["id"] == account]
        is_over = is_over or account in self.signed_in
        action = self._action(row, "sign_in", "Signed in.", refused=False)
        return {"action": action, "waiting": not is_over, "run": 1 if is_over else None}

    def emit(self, kind: str, run: int | None, **data: Any) -> None:
        """Append an event and wake those who wait for it, from any thread."""
        body = data if run is None else {"run": run, **data}
        self.events.append({"seq": len(self.events) + 1, "at": NOW, "kind": kind, "run": run, "data": body})
        self._wake()

    def stall(self, *, reads: bool) -> None:
        """Keep streams open and send nothing on them; with `reads`, leave reads of events without an answer, too."""
        self.streams_flow.clear()
        if reads:
            self.reads_flow.clear()

    def go_on(self) -> None:
        """End a stall."""
        for flow in (self.streams_flow, self.reads_flow):
            assert self.loop is not None
            self.loop.call_soon_threadsafe(flow.set)

    def hang_up(self) -> None:
        """End the streams that are open; a browser opens its own again by itself."""
        self.hang_ups += 1
        self._wake()

    def _wake(self) -> None:
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.changed.set)

    def _action(self, account: JSON, verb: str, text: str, *, refused: bool) -> JSON:
        outcome = "refused" if refused else "applied"
        shared = {"account": account["id"], "displayName": account["displayName"], "actor": "operator", "run": None}
        return {
            **shared,
            "id": account["id"],
            "action": verb,
            "outcome": outcome,
            "text": text,
            "texts": [],
            "reasons": [],
            "at": NOW,
            "before": {},
        }


def flowing() -> asyncio.Event:
    """Return an event that is set."""
    event = asyncio.Event()
    event.set()
    return event
