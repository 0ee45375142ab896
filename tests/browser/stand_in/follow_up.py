"""The stand-in's paths for what follows from runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tests.browser.stand_in.pool import JSON, KEY_REFUSAL

if TYPE_CHECKING:
    from tests.browser.stand_in.application import Site


class FollowUp:
    """One method per path."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def steer(self, request: Request) -> Response:
        """Pause, resume, finish or stop the newest run, by the last part of the path."""
        service = self._site.service
        command = request.url.path.rsplit("/", 1)[1]
        if command == "stop":
            service.end("stopped")
        elif command == "finish":
            service.end("finished")
        else:
            state = {"pause": "paused", "resume": "running"}[command]
            service.runs[-1].update(state=state, finishedAt=None, reason="")
            service.emit("run.state", service.runs[-1]["id"], state=state)
        return JSONResponse({"run": service.runs[-1]})

    async def cost(self, request: Request) -> Response:
        follow_up = self._site.service.follow_up
        source = (await request.json()).get("accountSource")
        counted = {"accounts": follow_up.counts[source]} if source in follow_up.counts else {}
        return JSONResponse({**follow_up.cost, **counted})

    async def plan(self, request: Request) -> Response:
        return JSONResponse({"run": run_of(request), "plans": self._site.service.follow_up.plans})

    async def apply(self, request: Request) -> Response:
        body = await request.json()
        service = self._site.service
        made = service.follow_up.apply(run_of(request), body["mode"], body["accounts"])
        service.emit("action", None, ids=[action["id"] for action in made])
        return JSONResponse({"batch": None, "actions": made})

    async def preview(self, request: Request) -> Response:
        """Plan a change: what a run has put on hold, what has no switch and what is so already is left out."""
        body = await request.json()
        service = self._site.service
        on_hold = {
            row["account"]: {**row, "against": row["reason"]}
            for row in service.follow_up.on_hold
            if row["releasedAt"] is None and row["action"] == body["action"]
        }
        plan: dict[str, list[JSON]] = {"applied": [], "held": [], "refused": [], "already": [], "notEnabled": []}
        for account in service.accounts:
            if account["id"] in body["accounts"]:
                group, against = _group(account, body["action"], on_hold)
                entry = {name: account[name] for name in ("displayName", "keyHint", "place")}
                facts = {"account": account["id"], "action": body["action"], "reason": "", "reasons": [], "host": ""}
                plan[group].append(
                    {**facts, **entry, "code": "", "params": {}, **on_hold.get(account["id"], {}), **against}
                )
        return JSONResponse({**plan, "losses": service.follow_up.losses})

    async def on_hold(self, request: Request) -> Response:
        on_hold = [row for row in self._site.service.follow_up.on_hold if row["run"] == run_of(request)]
        return JSONResponse({"held": on_hold})

    async def release(self, request: Request) -> Response:
        accounts = (await request.json()).get("accounts")
        return JSONResponse({"batch": None, "actions": self._site.service.follow_up.release(run_of(request), accounts)})

    async def undo_run(self, request: Request) -> Response:
        follow_up = self._site.service.follow_up
        undone = {action["undoes"] for action in follow_up.actions}
        done = [row for row in follow_up.actions if row["run"] == run_of(request) and row["id"] not in undone]
        return JSONResponse({"batch": None, "actions": follow_up.undo(done)})

    async def difference(self, request: Request) -> Response:
        return JSONResponse({"run": run_of(request), **self._site.service.follow_up.difference})

    async def export(self, request: Request) -> Response:
        headers = {"Content-Disposition": f'attachment; filename="inspection.{request.query_params["format"]}"'}
        return PlainTextResponse(f"results of run {run_of(request)}\n", headers=headers)

    async def actions(self, request: Request) -> Response:
        every = list(reversed(self._site.service.follow_up.actions))
        reverted = [action["undoes"] for action in every if action["undoes"] and action["outcome"] == "applied"]
        query = request.query_params
        fields = {
            "batch": "batch",
            "run": "run",
            "account": "account",
            "cause": "cause",
            "result": "outcome",
            "action": "action",
        }
        for name, field in fields.items():
            every = [row for row in every if query.get(name, str(row[field])) == str(row[field])]
        page = [row for row in every if row["id"] < int(query.get("before", len(every) + 1_000_000))]
        shown = page[: int(query["limit"])]
        return JSONResponse({"actions": shown, "total": len(every), "reverted": reverted})

    async def batches(self, _: Request) -> Response:
        """Answer no batches: every command ends with its answer. A test that needs some puts them in place."""
        return JSONResponse({"batches": []})

    async def undo(self, request: Request) -> Response:
        body = await request.json()
        follow_up = self._site.service.follow_up
        if "batch" in body:
            chosen = [row for row in follow_up.actions if row["batch"] == body["batch"]]
        else:
            chosen = [row for row in follow_up.actions if row["id"] in body["actions"]]
        return JSONResponse({"batch": None, "actions": follow_up.undo(chosen)})

    async def flags(self, request: Request) -> Response:
        body = await request.json()
        for account in self._site.service.accounts:
            if account["id"] in body["accounts"]:
                account.update({name: value for name, value in body.items() if name != "accounts"})
        return Response(status_code=204)

    async def schedules(self, request: Request) -> Response:
        follow_up = self._site.service.follow_up
        if request.method == "POST":
            saved = follow_up.save(await request.json())
            return JSONResponse({"schedule": saved, "accountsInScope": follow_up.accounts_in_scope})
        if request.method == "DELETE":
            number = int(request.query_params["schedule"])
            follow_up.schedules = [row for row in follow_up.schedules if row["id"] != number]
            return Response(status_code=204)
        return JSONResponse({"schedules": follow_up.schedules})


def run_of(request: Request) -> int:
    return int(request.query_params["run"])


def _group(account: JSON, action: str, on_hold: dict[int, JSON]) -> tuple[str, JSON]:
    """Return the group of a planned change, and what is against it."""
    if account["switch"] == "none":
        return "refused", {"against": account["switchReason"]}
    if action == "delete" and not account["deletable"]:
        return "refused", {"against": KEY_REFUSAL}
    if action != "delete" and account["enabled"] is (action == "enable"):
        return "already", {"against": f"Already {action}d."}
    return ("held", {}) if account["id"] in on_hold else ("applied", {"against": ""})
