"""Several service processes on one PostgreSQL: one leads, the others serve and take over."""

from __future__ import annotations

from dataclasses import dataclass

from tests.system.client import Client
from tests.system.process import Service
from tools.project.demo.folder import DemoFolder

LEADS = "this process leads"
STANDBY = "on standby"
TAKEN_OVER_SECONDS = 15
SETTINGS = {"accountSource": "api_key", "workers": 1, "timeoutSeconds": 2, "retries": 0}
RESULTS_OF_RUNS = "SELECT count(*), count(DISTINCT (run_id, account_id)) FROM results"


@dataclass
class Node:
    """One of several services in front of copies of one pool."""

    folder: DemoFolder
    service: Service
    client: Client

    def said(self, text: str) -> bool:
        return any(text in line for line in self.service.lines)
