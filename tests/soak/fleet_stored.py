"""Figures of a console over many stored accounts: `python -m tests.soak.fleet_stored --gateways 50 --accounts 20000`.

Each gateway has one run over all of its accounts, copied from a real one by SQL. Processor time of the console and of
PostgreSQL counts; the bar is 200 ms for 95 of 100 answers.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Final

import psycopg

from tests.adapter.management.stand_in import KEY
from tests.postgresql.server import running_server
from tests.soak.fleet_size import ENDED, RUN, ask, cpu_ms, megabytes, process, until_answered
from tools.project.demo.ports import free_port

_PATHS: Final = (
    "fleet/overview",
    "fleet/gateways",
    "fleet/runs",
    "fleet/workers",
    "fleet/duplicates",
    "inspections?pool={pool}",
    "inspections/results?pool={pool}&run={run}&limit=500",
    "inspections/results?pool={pool}&run={run}&limit=500&after={middle}",
    "inspections/plan?pool={pool}&run={run}",
    "inspections/held?pool={pool}&run={run}",
    "pool/actions?pool={pool}",
)
_FILL: Final = """
CREATE TEMP TABLE made AS SELECT nextval('accounts_id_seq')::int AS id, nextval('evidence_id_seq') AS evidence, p.*
    FROM (SELECT a.id AS origin, r.id AS run, n FROM accounts a JOIN runs r USING (pool_id)
          CROSS JOIN generate_series(1, {accounts}) n) p;
INSERT INTO accounts SELECT (jsonb_populate_record(a, jsonb_build_object(
    'id', m.id, 'fingerprint', 'f' || m.n, 'auth_index', 'i' || m.n, 'key_mark', ''))).*
    FROM made m JOIN accounts a ON a.id = m.origin;
INSERT INTO evidence SELECT (jsonb_populate_record(e, jsonb_build_object('id', m.evidence))).*
    FROM made m JOIN evidence e ON e.run_id = m.run;
INSERT INTO results SELECT (jsonb_populate_record(r, jsonb_build_object('seq', nextval('results_seq_seq'),
    'account_id', m.id, 'evidence_id', m.evidence,
    'verdict', CASE WHEN m.n % 20 = 0 THEN 'invalid_key' ELSE 'healthy' END,
    'action', CASE WHEN m.n % 20 = 0 THEN 'disable' ELSE 'keep' END))).*
    FROM made m JOIN results r ON r.run_id = m.run AND r.account_id = m.origin;
UPDATE runs SET total = {accounts} + 1, done = {accounts} + 1;
ANALYZE
"""


def fill(address: str, accounts: int) -> None:
    """Copy the account of every pool, with its result, so many times."""
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in _FILL.format(accounts=accounts).split(";"):
            connection.execute(statement.encode())


def children(pid: int) -> float:
    """Return the processor time of the children of a process, in milliseconds."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(cpu_ms(int(child)) for child in listed)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in {"gateways": 50, "accounts": 20_000, "times": 20}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    with ExitStack() as opened:
        measure(parser.parse_args(), opened, Path(opened.enter_context(tempfile.TemporaryDirectory())))


def measure(options: argparse.Namespace, opened: ExitStack, path: Path) -> None:
    """Start everything, store the accounts, and print the figures."""
    server = opened.enter_context(running_server())
    database = server.address(server.create())
    variables = {
        "POOLKEEPER_MANAGEMENT_KEY": KEY,
        "POOLKEEPER_LOG_LEVEL": "error",
        "POOLKEEPER_DATABASE_URL": database,
    }
    serve = "-m", "tests.soak.fleet_size", "serve", "--gateways", str(options.gateways), "--accounts", "1"
    gateways = opened.enter_context(process(*serve))
    listen = f"127.0.0.1:{free_port()}"
    address = f"http://{listen}"
    place = "-m", "extension", "serve", "--fleet", "--listen", listen, "--data-dir", str(path / "console")
    console = opened.enter_context(process(*place, **variables))
    until_answered(address, "info/openapi")
    for number, url in enumerate(json.loads((gateways.stdout or sys.stdin).readline())):
        ask(address, "fleet/gateways", {"name": f"g{number}", "url": url, "key": KEY, "labels": {}})
    number = ask(address, "fleet/runs", {"settings": RUN})["run"]["id"]
    while ask(address, f"fleet/runs?run={number}")["runs"][0]["state"] not in ENDED:
        Event().wait(1)
    began = time.monotonic()
    fill(database, options.accounts)
    with psycopg.connect(database) as connection:
        ((stored, size),) = connection.execute(
            "SELECT (SELECT count(*) FROM results), pg_database_size(current_database())"
        ).fetchall()
    print(f"{stored:,} results stored in {time.monotonic() - began:.0f} s, {size / 1e6:.0f} MB", flush=True)
    postmaster = int((server.data / "postmaster.pid").read_text().split()[0])
    for template in _PATHS:
        spent = []
        for turn in range(options.times):
            pool = f"g{turn % options.gateways}"
            run = ask(address, f"inspections?pool={pool}&limit=1")["runs"][0]["id"]
            target = template.format(pool=pool, run=run, middle=stored // 2)
            before = cpu_ms(console.pid) + children(postmaster)
            ask(address, target)
            spent.append(cpu_ms(console.pid) + children(postmaster) - before)
        spent.sort()
        p95 = spent[min(len(spent) - 1, len(spent) * 95 // 100)]
        print(f"{template}: median {spent[len(spent) // 2]:.0f} ms, p95 {p95:.0f} ms (bar 200)", flush=True)
    print(f"console: {megabytes(console.pid)}")


if __name__ == "__main__":
    main()
