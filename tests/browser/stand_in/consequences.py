"""Consequences of runs in the stand-in: plans, held actions, releases, undone actions, schedules and differences."""

from typing import Any

from tests.browser.stand_in.pool import JSON

NOW = 1_795_000_000_000
MONTH_MS = 30 * 86_400_000
_EMPTY: JSON = {"refused": [], "already": [], "notEnabled": []}


class FollowUp:
    """The part of the stand-in's state that follows from runs; a test fills it as it needs it."""

    def __init__(self) -> None:
        self.plans: list[JSON] = []
        self.on_hold: list[JSON] = []
        self.actions: list[JSON] = []
        self.deleted_files: list[JSON] = []
        self.losses: list[str] = []
        self.schedules: list[JSON] = []
        self.accounts_in_scope = 9
        self.difference: JSON = {"against": None, "covered": 0, "changes": []}
        self.cost: JSON = {"accounts": 11, "probed": 10, "requests": 24, "tokens": 0, "sampled": False}
        self.counts: dict[str, int] = {}

    def plan(self, mode: str, *planned: JSON, on_hold: tuple[JSON, ...] = ()) -> None:
        """Set what a mode would do."""
        self.plans.append({"mode": mode, **_EMPTY, "applied": list(planned), "held": list(on_hold)})

    def hold(self, run: int, account: int, name: str, reason: str, host: str = "relay.example") -> None:
        """Keep a disable back."""
        number = len(self.on_hold) + 1
        shared = {"id": number, "run": run, "account": account, "displayName": name, "action": "disable"}
        self.on_hold.append(
            {**shared, "reason": reason, "code": "", "params": {}, "at": NOW, "releasedAt": None, "host": host}
        )

    def record(self, account: int, name: str, verb: str, **facts: Any) -> JSON:
        """Add an action to the action log and return it."""
        action = {
            "id": len(self.actions) + 1,
            "account": account,
            "displayName": name,
            "action": verb,
            "outcome": "applied",
            "text": "Written to config.yaml and read back.",
            "actor": "page",
            "reason": "",
            "reasons": [],
            "texts": [],
            "at": NOW + len(self.actions),
            "before": {},
            "run": None,
            "actorKind": "person",
            "cause": "request",
            "undoes": None,
            "batch": None,
            **facts,
        }
        self.actions.append(action)
        return action

    def release(self, run: int, accounts: list[int] | None) -> list[JSON]:
        """Do what was held."""
        made = []
        for on_hold in self.on_hold:
            if (
                on_hold["run"] == run
                and on_hold["releasedAt"] is None
                and (accounts is None or on_hold["account"] in accounts)
            ):
                on_hold["releasedAt"] = NOW
                facts = {"run": run, "cause": "release", "reason": on_hold["reason"]}
                made.append(self.record(on_hold["account"], on_hold["displayName"], on_hold["action"], **facts))
        return made

    def apply(self, run: int, mode: str, accounts: list[int] | None) -> list[JSON]:
        """Do what a mode would do."""
        plan = next(plan for plan in self.plans if plan["mode"] == mode)
        chosen = [row for row in plan["applied"] if accounts is None or row["account"] in accounts]
        self.plans = [{**plan, "applied": []} for plan in self.plans]
        facts = {"run": run, "cause": "apply"}
        return [self.record(row["account"], row["displayName"], row["action"], **facts) for row in chosen]

    def undo(self, chosen: list[JSON]) -> list[JSON]:
        """Take actions back."""
        inverse = {"disable": "enable", "enable": "disable"}
        return [
            self.record(row["account"], row["displayName"], inverse[row["action"]], cause="undo", undoes=row["id"])
            for row in chosen
        ]

    def keep(self, account: int, name: str) -> None:
        """Keep a deleted file."""
        self.deleted_files.append({"account": account, "name": name, "deletedAt": NOW, "keptUntil": NOW + MONTH_MS})

    def restore(self, accounts: list[int]) -> list[JSON]:
        """Put deleted files back."""
        chosen = [row for row in self.deleted_files if row["account"] in accounts]
        self.deleted_files = [row for row in self.deleted_files if row not in chosen]
        return [self.record(row["account"], row["name"], "restore", text="Restored.") for row in chosen]

    def save(self, body: JSON) -> JSON:
        """Store a schedule, a known one under its number."""
        facts = {"nextAt": NOW + 60_000 * (body["intervalMinutes"] or 1440), "savedBy": "page", "savedAt": NOW}
        schedule = next((row for row in self.schedules if row["id"] == body.get("id")), None)
        if schedule is None:
            schedule = {"id": len(self.schedules) + 1, "lastAt": None, "lastRun": None, "problem": "", "problems": []}
            self.schedules.append(schedule)
        schedule.update({name: value for name, value in body.items() if name != "id"}, **facts)
        return schedule


def planned(account: int, name: str, action: str, reason: str) -> JSON:
    """Return a change that a mode would make."""
    shared = {"account": account, "displayName": name, "action": action}
    return {**shared, "reason": reason, "reasons": [], "against": "", "host": "", "code": "", "params": {}}
