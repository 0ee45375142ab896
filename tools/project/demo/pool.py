"""The demo configuration: config.yaml in the gateway's format, with a comment on every entry."""

import json
from collections.abc import Iterator, Sequence

from .files import demo_tokens
from .rows import COMPAT, DEMO_ROWS, VENDOR_A, VENDOR_B, VENDOR_C, VENDOR_D, DemoRow
from .vendors import PREFIX

DEMO_MODEL = "demo-model"
DEMO_CLIENT_KEY = "demo-client-key-for-inference"
DEMO_CLIENTS = {"Demo client": DEMO_CLIENT_KEY} | {
    name: f"demo-client-key-of-{name.lower().replace(' ', '-')}" for name in ("Web app", "Research team", "CI")
}
"""Client keys by name: of the one that asks while the demo runs, and of those of its past week."""

_HEAD = """\
# Demo pool. Every key here is made up; its name says what the stand-in for providers does with it.
host: "127.0.0.1" # loopback only
port: {port}
auth-dir: {auth_dir} # OAuth files, made up as well
remote-management:
  allow-remote: false
  # The management key. The gateway replaces it by a hash when it starts.
  secret-key: "{secret_key}"
api-keys: # what clients of the gateway send
{client_keys}
debug: false
request-retry: 0
usage-statistics-enabled: true
plugins:
  configs:
    poolkeeper:
      # Everything that would ask an OAuth vendor goes here instead: nothing of the demo leaves the machine.
      vendor-stand-in: "{vendors}"
"""
_TITLES = {
    VENDOR_A: "Gemini keys",
    VENDOR_B: "Claude keys: switched off by excluded-models",
    VENDOR_C: "Codex keys",
    VENDOR_D: "Vertex keys",
}


def demo_config(
    address: str,
    *,
    secret_key: str,
    port: int = 8317,
    auth_dir: str = "./auths",
    rows: Sequence[DemoRow] = DEMO_ROWS,
) -> str:
    """Return the text of config.yaml for providers at an address; `port` is the gateway's own.

    A relative `auth_dir` is relative to where the gateway is started, not to the file. `rows` are the accounts.
    """
    quoted = json.dumps(auth_dir, ensure_ascii=False)
    keys = "\n".join(f'  - "{key}"' for key in DEMO_CLIENTS.values())
    lines = [
        _HEAD.format(port=port, secret_key=secret_key, client_keys=keys, auth_dir=quoted, vendors=address + PREFIX)
    ]
    for section, title in _TITLES.items():
        lines.append(f"\n# {title}.\n{section}:\n")
        lines.extend(_key_entry(row, address) for row in rows if row.section == section)
    lines.append(
        f"\n# Compatible providers: one is switched as a whole, and only while it has a single key.\n{COMPAT}:\n"
    )
    lines.extend(_provider(name, keys, address) for name, keys in _providers(rows))
    return "".join(lines)


def demo_secrets() -> tuple[str, ...]:
    """Return all keys and tokens of the pool: none of them may ever be seen in a log, an answer or a row."""
    return (*(row.key for row in DEMO_ROWS), *demo_tokens())


def _key_entry(row: DemoRow, address: str) -> str:
    lines = [f"  # {row.name}: {row.comment}", f'  - api-key: "{row.key}"']
    if row.addressed:
        lines.append(f'    base-url: "{row.base_url(address)}"')
    else:
        lines.append(f'    proxy-url: "{address}" # the stand-in, which connects to no vendor')
    if row.excluded:
        lines.append("    excluded-models:")
        lines.extend(f'      - "{pattern}"' for pattern in row.excluded)
    return "\n".join(lines) + "\n"


def _providers(rows: Sequence[DemoRow]) -> Iterator[tuple[str, list[DemoRow]]]:
    """Yield each compatible provider with the rows that are its keys."""
    entries: dict[str, list[DemoRow]] = {}
    for row in rows:
        if row.section == COMPAT:
            entries.setdefault(row.entry, []).append(row)
    yield from entries.items()


def _provider(name: str, rows: list[DemoRow], address: str) -> str:
    lines = [f"  # {name}: {rows[0].comment}", f'  - name: "{name}"']
    if rows[0].disabled:
        lines.append("    disabled: true")
    lines += [f'    base-url: "{rows[0].base_url(address)}"', "    api-key-entries:"]
    lines += [f'      - api-key: "{row.key}" # {row.comment}' for row in rows]
    lines += ["    models:", f'      - name: "{DEMO_MODEL}"', f'        alias: "{name}-model"']
    return "\n".join(lines) + "\n"
