from __future__ import annotations

from tests.system.client import Client
from tests.system.process import Service, serving
from tests.system.stand_in import counted
from tools.project.demo.folder import DemoFolder
from tools.project.demo.providers import Providers

LANDED_BEFORE_THE_KILL = 6


def test_a_killed_run_is_interrupted_and_resumes_without_probing_anybody_twice(
    demo: tuple[DemoFolder, Providers],
) -> None:
    folder, providers = demo
    client = Client(folder.gateway_port, folder.management_key)
    settings = {"accountSource": "api_key", "workers": 1, "timeoutSeconds": 2, "retries": 0}

    service = Service(["--config", str(folder.config)])
    try:
        service.wait_until_ready()
        number = client.own("POST", "inspections", settings)["run"]["id"]
        for kind, data in client.stream(number):
            if kind == "run.progress" and data["done"] >= LANDED_BEFORE_THE_KILL:
                break
    finally:
        service.kill()
    requests = counted(providers)

    with serving(folder.config):
        run = client.run(number)
        landed = client.results(number)
        assert run["state"] == "interrupted"
        assert run["reason"]
        assert LANDED_BEFORE_THE_KILL <= len(landed) == run["done"] < run["total"]

        client.own("POST", "inspections/resume", run=number)
        client.wait_for_end(number)

        finished, results = client.run(number), client.results(number)
        assert finished["state"] == "finished"
        assert len(results) == len({row["account"] for row in results}) == finished["total"]
        assert results[: len(landed)] == landed

    again = {key for key, count in counted(providers).items() if count > requests[key] > 0}
    # With one worker at most one probe was in flight when the process died, and only that one is repeated.
    assert len(again) <= 1
