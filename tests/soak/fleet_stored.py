"""Figures of a console over many stored accounts: `python -m tests.soak.fleet_stored --gateways 50 --accounts 20000`.

Each gateway has one run over all of its accounts, copied from a real one by SQL. The worker of that run is a process of
its own. Processor time of the console and of PostgreSQL counts; the bar is 200 ms for 95 of 100 answers.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Final

import psycopg

from adapter.clock import SystemClock
from adapter.privacy.secret import Secret
from extension.serving.composition import compose
from extension.serving.fleet.console_key import NoGateway
from extension.serving.server import Server, authority_of
from extension.serving.server import listen as listen_at
from tests.adapter.management.stand_in import KEY
from tests.postgresql.server import running_server
from tests.soak.fleet_size import ENDED, RUN, ask, cpu_ms, megabytes, process, until_answered, worker_command
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
_MADE: Final = """
CREATE TEMP TABLE made AS
SELECT nextval('accounts_id_seq')::int AS id, nextval('evidence_id_seq') AS evidence, pools.*
FROM (SELECT a.id AS origin, r.id AS run, n FROM accounts a JOIN runs r USING (pool_id)
      CROSS JOIN generate_series(1, %s) n) pools
"""
_COPIES: Final = {
    "accounts": (
        "original.id = made.origin",
        {
            "id": "made.id",
            "fingerprint": "md5(made.id::text) || md5(made.n::text)",
            "auth_index": "left(md5(made.id::text), 16)",
            # One account in a thousand has the key of one at another gateway.
            "key_mark": "md5((CASE WHEN made.n % 1000 = 0 THEN made.n / 1000 * 10 + made.run % 10 "
            "ELSE -made.id END)::text)",
        },
    ),
    "evidence": ("original.run_id = made.run", {"id": "made.evidence"}),
    "results": (
        "original.run_id = made.run AND original.account_id = made.origin",
        {
            "seq": "nextval('results_seq_seq')",
            "account_id": "made.id",
            "evidence_id": "made.evidence",
            "verdict": "CASE WHEN made.n % 20 = 0 THEN 'invalid_key' ELSE 'healthy' END",
            "action": "CASE WHEN made.n % 20 = 0 THEN 'disable' ELSE 'keep' END",
        },
    ),
}
"""Tables to fill, each with the condition on the row to copy and the columns that differ from it."""


def fill(address: str, accounts: int) -> None:
    """Copy the account of every pool, with its result, so many times."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # no check of references, row by row
        connection.execute(_MADE.replace("%s", str(accounts)).encode())
        for table, (condition, changed) in _COPIES.items():
            columns = "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
            names = [str(name) for (name,) in connection.execute(columns, [table])]
            values = ", ".join(changed.get(name, f"original.{name}") for name in names)
            copy = f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM made"  # noqa: S608 - constants
            connection.execute(f"{copy} JOIN {table} original ON {condition}".encode())
        connection.execute("UPDATE runs SET total = %s, done = %s", [accounts + 1, accounts + 1])
        # What the server would do by itself soon is not a cost of an answer.
        connection.execute("VACUUM ANALYZE")


def console(listen: str, folder: Path) -> None:
    """Serve a console that visits no gateway, as beside workers that have them all."""
    gc.freeze()  # as `poolkeeper serve` does after its imports
    key, listener = Secret(KEY), listen_at(listen)
    environment = os.environ | {"POOLKEEPER_DATA_DIR": str(folder)}
    gateway = NoGateway(key, SystemClock())
    place = authority_of(listener)
    application = compose(gateway, environment, authority=lambda: place, secrets=[key], schedules=False, is_fleet=True)
    Server(application).serve_on(listener)


def children(pid: int) -> float:
    """Return the processor time of the children of a process, in milliseconds."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(cpu_ms(int(child)) for child in listed)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in {"gateways": 50, "accounts": 20_000, "times": 40}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--console", nargs=2, metavar=("LISTEN", "FOLDER"), help="serve alone, for the measurement")
    options = parser.parse_args()
    if options.console is not None:
        console(options.console[0], Path(options.console[1]))
        return
    with ExitStack() as opened:
        measure(options, opened, Path(opened.enter_context(tempfile.TemporaryDirectory())))


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
    listen, folder = f"127.0.0.1:{free_port()}", path / "console"
    address = f"http://{listen}"
    serving = opened.enter_context(process("-m", __spec__.name, "--console", listen, str(folder), **variables))
    until_answered(address, "info/openapi")
    for number, url in enumerate(json.loads((gateways.stdout or sys.stdin).readline())):
        ask(address, "fleet/gateways", {"name": f"g{number}", "url": url, "key": KEY, "labels": {}})
    with process(*worker_command(folder, path / "worker"), **variables):
        number = ask(address, "fleet/runs", {"settings": RUN})["run"]["id"]
        while (run := ask(address, f"fleet/runs?run={number}")["runs"][0])["state"] not in ENDED:
            Event().wait(1)
    refused = [f"{part['gateway']}: {part['code']}" for part in run["parts"] if part["state"] == "refused"]
    if refused:
        raise SystemExit(f"not every gateway was inspected: {', '.join(refused)}")
    began = time.monotonic()
    fill(database, options.accounts)
    with psycopg.connect(database) as connection:
        ((stored, size),) = connection.execute(
            "SELECT (SELECT count(*) FROM results), pg_database_size(current_database())"
        ).fetchall()
        middles: dict[str, int] = dict(
            connection.execute(
                "SELECT name, (min(seq) + max(seq)) / 2 FROM results JOIN runs ON runs.id = run_id "
                "JOIN pools ON pools.id = pool_id GROUP BY name"
            ).fetchall()
        )
    print(f"{stored:,} results stored in {time.monotonic() - began:.0f} s, {size / 1e6:.0f} MB", flush=True)
    postmaster = int((server.data / "postmaster.pid").read_text().split()[0])
    for template in _PATHS:
        spent = []
        for turn in range(options.times):
            pool = f"g{turn % options.gateways}"
            newest = ask(address, f"inspections?pool={pool}&limit=1")["runs"][0]["id"]
            target = template.format(pool=pool, run=newest, middle=middles[pool])
            before = cpu_ms(serving.pid), children(postmaster)
            ask(address, target)
            spent.append((cpu_ms(serving.pid) - before[0], children(postmaster) - before[1]))
        place = min(len(spent) - 1, len(spent) * 95 // 100)
        both = sorted(map(sum, spent))
        shares = [sorted(share)[place] for share in zip(*spent, strict=True)]
        print(
            f"{template}: median {both[len(both) // 2]:.0f} ms, p95 {both[place]:.0f} ms (bar 200); "
            f"p95 of the console {shares[0]:.0f} ms, of PostgreSQL {shares[1]:.0f} ms",
            flush=True,
        )
    print(f"console: {megabytes(serving.pid)}")


if __name__ == "__main__":
    main()
