"""The stand-in's HTTP: the page's own files, and the answers it reads, in the documented shapes."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from secrets import token_hex

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from extension.console import BUILT, BUILT_PAGE, STATIC
from extension.console.pages import page_names
from tests.browser.stand_in.follow_up import FollowUp
from tests.browser.stand_in.paging import pool_answer
from tests.browser.stand_in.pool import JSON, KEY_REFUSAL, VERDICTS
from tests.browser.stand_in.service import ACTIVE, DEFAULTS, KEY, StandInService

OWN = "/v0/management/poolkeeper"
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
FAMILIES = {"all": "All families", "compat": "OpenAI-compatible", "vendor-b-apikey": "Claude"}
LOG_INS_BEFORE_BAN = 5
HEARTBEAT_SECONDS = 5.0
ASKING = {"inspections/cost", "pool/plan"}
"""Paths that are posted to without changing anything."""


class Site:
    """Where the application finds its service: a fresh one for each test, behind one server for all of them."""

    def __init__(self) -> None:
        self.service = StandInService()


class KeptFiles(StaticFiles):
    """The page's files, which the browser may keep from test to test."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "max-age=3600"
        return response


class Endpoints:
    """One method per path; every one but the log-in wants a session."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @property
    def service(self) -> StandInService:
        return self._site.service

    async def page(self, request: Request) -> Response:
        name = request.path_params["name"]
        status = 200 if name in page_names() else 404
        return FileResponse(BUILT_PAGE, status, headers={"Content-Security-Policy": POLICY})

    async def session(self, request: Request) -> Response:
        if request.method == "POST":
            return self._log_in((await request.json())["key"])
        token = request.cookies.get("poolkeeper_session", "")
        if token not in self.service.sessions:
            return problem(401, "no session", "not_signed_in", "log in")
        if request.method == "DELETE":
            self.service.sessions.discard(token)
            return Response(status_code=204)
        return JSONResponse({"csrf": f"csrf-{token}", "expiresAt": 1_795_000_000_000})

    def _log_in(self, key: str) -> Response:
        if self.service.refused_log_ins >= LOG_INS_BEFORE_BAN:
            text = "IP banned due to too many failed attempts. Try again in 30m0s"
            return JSONResponse({"error": text}, 403, headers={"Retry-After": "1800"})
        if key != KEY:
            self.service.refused_log_ins += 1
            return problem(401, "the management key is wrong", "wrong_key", "check remote-management.secret-key")
        token = token_hex()
        self.service.sessions.add(token)
        answer = JSONResponse({"csrf": f"csrf-{token}", "expiresAt": 1_795_000_000_000})
        answer.set_cookie("poolkeeper_session", token, httponly=True, samesite="strict", path="/")
        return answer

    async def info(self, _: Request) -> Response:
        addressed = {"vendor-b-apikey"}
        families = [
            {"token": token, "label": label, "publicAddress": token in addressed} for token, label in FAMILIES.items()
        ]
        capabilities = self.service.capabilities
        gateway: JSON = {"name": "Gateway", "version": "0.1.0", "capabilities": capabilities, "secondsPerCall": None}
        body = {"name": "poolkeeper", "version": "0.1.0", "gateway": gateway, "families": families}
        return JSONResponse({**body, "verdicts": VERDICTS})

    async def config(self, _: Request) -> Response:
        return JSONResponse({"settings": {"keepRuns": 200, **self.service.settings}, "inspectionDefaults": DEFAULTS})

    async def pool(self, request: Request) -> Response:
        query = request.query_params
        accounts = self.service.in_scope(query["source"], query["family"], query.get("filter", ""))
        return pool_answer(request, accounts, self.service.skipped)

    async def status(self, request: Request) -> Response:
        body = await request.json()
        return JSONResponse(
            {"batch": None, "actions": self.service.switch(body["accounts"], disabled=body["disabled"])}
        )

    async def delete(self, request: Request) -> Response:
        ids = (await request.json())["accounts"]
        if any(account["id"] in ids and not account["deletable"] for account in self.service.accounts):
            return problem(409, KEY_REFUSAL, "delete_refused", "")
        return JSONResponse({"batch": None, "actions": self.service.delete(ids)})

    async def sign_in(self, request: Request) -> Response:
        begun = self.service.begin_sign_in((await request.json())["account"])
        return JSONResponse(begun, 201) if begun else problem(501, "no address", "unsupported", "")

    async def sign_in_state(self, request: Request) -> Response:
        return JSONResponse(self.service.follow_sign_in((await request.json())["action"], is_over=False))

    async def sign_in_callback(self, request: Request) -> Response:
        body = await request.json()
        if body["callback"] != "http://localhost/?code=1":
            answer = {"error": "another sign-in", "code": "callback_unfit", "hint": "", "field": "callback"}
            return JSONResponse(answer, 400)
        return JSONResponse(self.service.follow_sign_in(body["action"], is_over=True))

    async def restore(self, request: Request) -> Response:
        if request.method == "GET":
            return JSONResponse({"files": self.service.follow_up.deleted_files})
        restored = self.service.follow_up.restore((await request.json())["accounts"])
        return JSONResponse({"batch": None, "actions": restored})

    async def inspections(self, request: Request) -> Response:
        runs = self.service.runs
        if request.method == "GET":
            run_number = request.query_params.get("run")
            if run_number is not None and not any(run_number == str(run["id"]) for run in runs):
                return problem(
                    404, f"There is no run {run_number}.", "run_unknown", "Take a number from the list of runs."
                )
            rows = [run for run in reversed(runs) if run_number in (None, str(run["id"]))]
            return JSONResponse({"runs": [{"stillOnHold": run["onHold"], **run} for run in rows]})
        if any(run["state"] in ACTIVE for run in runs):
            return problem(409, "another run is active", "run_active", "wait for it or stop it")
        return JSONResponse({"run": self.service.start({**DEFAULTS, **await request.json()})}, 201)

    async def results(self, request: Request) -> Response:
        run, after = int(request.query_params["run"]), int(request.query_params["after"])
        landed = [result for result in self.service.results if result["run"] == run and result["seq"] > after]
        landed = landed[: int(request.query_params["limit"])]
        return JSONResponse({"results": landed, "next": landed[-1]["seq"] if landed else after})

    async def recent(self, request: Request) -> Response:
        accounts = [int(account) for account in request.query_params.getlist("account")]
        rows: dict[int, list[JSON]] = {}
        for result in reversed(self.service.results):
            if result["account"] in accounts:
                row = {name: result[name] for name in ("run", "at", "verdict", "status", "latencyMs")}
                rows.setdefault(result["account"], []).append(row)
        return JSONResponse({"accounts": [{"account": key, "results": rows[:20]} for key, rows in rows.items()]})

    async def automation(self, request: Request) -> Response:
        if request.method == "POST":
            self.service.paused = (await request.json())["paused"]
        at = 1_795_000_000_000 if self.service.paused else None
        return JSONResponse({"paused": self.service.paused, "pausedAt": at, "pausedBy": "page" if at else ""})

    async def events(self, request: Request) -> Response:
        after = int(request.headers.get("Last-Event-ID") or request.query_params["after"])
        if "text/event-stream" not in request.headers["Accept"]:
            await self.service.reads_flow.wait()
            newest = len(self.service.events)
            events = self.service.events[after:] if after <= newest else []
            return JSONResponse({"events": events, "next": newest})
        if not self.service.streams:
            return problem(503, "no streams here", "no_streams", "")
        return StreamingResponse(self._stream(after), media_type="text/event-stream")

    async def _stream(self, after: int) -> AsyncIterator[str]:
        service = self.service
        hang_ups = service.hang_ups
        yield ": open\n\n"
        while hang_ups == service.hang_ups:
            service.changed.clear()
            for event in service.events[after:]:
                yield f"id: {event['seq']}\nevent: {event['kind']}\ndata: {json.dumps(event)}\n\n"
                after = event["seq"]
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(service.changed.wait(), HEARTBEAT_SECONDS)
            await service.streams_flow.wait()
            yield "event: heartbeat\ndata: {}\n\n"


def problem(status: int, error: str, code: str, hint: str) -> Response:
    return JSONResponse({"error": error, "code": code, "hint": hint}, status)


def build(site: Site) -> Starlette:
    """Return the application; it wants the session, and the CSRF token for what changes something."""
    endpoints, follow_up = Endpoints(site), FollowUp(site)

    def own(path: str, name: str, *methods: str) -> Route:
        endpoint = getattr(endpoints, name, None) or getattr(follow_up, name)

        async def guarded(request: Request) -> Response:
            token = request.cookies.get("poolkeeper_session", "")
            if token not in site.service.sessions:
                return problem(401, "no session", "not_signed_in", "log in")
            if request.method != "GET":
                if request.headers.get("X-Poolkeeper-CSRF") != f"csrf-{token}":
                    return problem(403, "no CSRF token", "csrf", "")
                body = await request.body()
                if path not in ASKING:
                    site.service.requests.append((request.method, path, json.loads(body) if body else None))
            answer: Response = await endpoint(request)
            await site.service.delays.pass_through(request.method, path)
            return answer

        return Route(f"{OWN}/{path}", guarded, methods=methods or ("GET",))

    return Starlette(
        routes=[
            Route("/monitor/{name}", endpoints.page),
            Mount("/monitor/static/app", KeptFiles(directory=BUILT)),
            Mount("/monitor/static", KeptFiles(directory=STATIC)),
            Route(f"{OWN}/info/session", endpoints.session, methods=["GET", "POST", "DELETE"]),
            own("info", "info"),
            own("config", "config"),
            own("config/automation", "automation", "GET", "POST"),
            own("pool", "pool"),
            own("pool/recent", "recent"),
            own("pool/status", "status", "POST"),
            own("pool/delete", "delete", "POST"),
            own("pool/restore", "restore", "GET", "POST"),
            own("pool/sign-in", "sign_in", "POST"),
            own("pool/sign-in/state", "sign_in_state", "POST"),
            own("pool/sign-in/callback", "sign_in_callback", "POST"),
            own("pool/sign-in/cancel", "sign_in_state", "POST"),
            own("inspections", "inspections", "GET", "POST"),
            own("pool/flags", "flags", "POST"),
            own("pool/actions", "actions"),
            own("pool/batches", "batches"),
            own("pool/undo", "undo", "POST"),
            own("pool/plan", "preview", "POST"),
            *(own(f"inspections/{verb}", "steer", "POST") for verb in ("stop", "pause", "resume", "finish")),
            own("inspections/cost", "cost", "POST"),
            own("inspections/plan", "plan"),
            own("inspections/apply", "apply", "POST"),
            own("inspections/held", "on_hold"),
            own("inspections/release", "release", "POST"),
            own("inspections/undo", "undo_run", "POST"),
            own("inspections/difference", "difference"),
            own("inspections/export", "export"),
            own("inspections/schedules", "schedules", "GET", "POST", "DELETE"),
            own("inspections/results", "results"),
            own("inspections/events", "events"),
        ]
    )
