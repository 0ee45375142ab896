"""`usage/rerate`: the cost of stored requests under the prices in force, as a preview and as a job."""

from typing import Annotated, Self

from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.payloads.payload import LATEST, Payload
from extension.api.payloads.prices import RerateEffectView
from extension.api.problems import bad_request
from extension.api.routes import Routes
from extension.api.services import Served
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.usage.costs import RerateJob
from extension.usage.calendar import Period

_Time = Annotated[int, Field(strict=True, ge=0, le=LATEST)]


class RerateJobView(Payload):
    """A re-rating under way, or the last one with its end in `finishedAt`; `position` is the time it has reached."""

    start: int
    end: int
    position: int
    effect: RerateEffectView
    actor: str
    started_at: int
    finished_at: int | None

    @classmethod
    def of(cls, job: RerateJob) -> Self:
        """Show a job."""
        return cls.showing(
            job,
            start=job.period.start,
            end=job.period.end,
            position=max(0, job.position[0]),
            effect=RerateEffectView.of(job.effect),
        )


class RerateRequest(Payload):
    """Requests to rate again: all of a period, or all that are stored. Without `apply` the answer is a preview."""

    start: _Time = 0
    end: _Time = LATEST
    apply: Annotated[bool, Field(strict=True)] = False


class RerateAnswer(Payload):
    """Preview (null where none was asked for), and the last job (null before the first)."""

    preview: RerateEffectView | None
    job: RerateJobView | None


route = Routes("usage")


@route("GET", "usage/rerate")
async def read_rerating(services: Served) -> RerateAnswer:
    """Answer the state of the last re-rating."""
    job = await services.usage.rerating.state()
    return RerateAnswer(preview=None, job=None if job is None else RerateJobView.of(job))


@route("POST", "usage/rerate")
async def rerate(body: RerateRequest, services: Served, asking: Asking) -> RerateAnswer:
    """Preview a re-rating, or with `apply` start it; a job under way is replaced.

    A job changes exactly the requests whose cost or price differs, and the sums that hold them. It goes on after a
    restart. Sums of hours whose requests were removed by the retention keep their cost.
    """
    if body.end < body.start:
        raise bad_request(because(ReasonCode.END_BEFORE_START, field="end"), "Correct end.", "end")
    period = Period(body.start, body.end)
    if body.apply:
        job = await services.usage.rerating.start(period, asking.actor)
        return RerateAnswer(preview=None, job=RerateJobView.of(job))
    effect = await services.usage.rerating.preview(period)
    return RerateAnswer(preview=RerateEffectView.of(effect), job=(await read_rerating(services)).job)
