"""The pool every implementation shows the contract suite: one account of each kind, and two auth files."""

from collections.abc import Mapping

from adapter.port import Account, FileRef, KeyRef, Pool, Section

MANAGEMENT_KEY = "the management key of the suite"
INSTALLATION_KEY = bytes(range(32))
DEAD_ADDRESS = "http://127.0.0.1:9"

COMPLETION = {"model": "demo-alias", "messages": [{"role": "user", "content": "hello"}]}
"""A client's request that the provider `solo` answers."""

FILES: Mapping[str, Mapping[str, object]] = {
    "claude-a@b.c.json": {"type": "claude", "email": "a@b.c", "access_token": "token-of-a-1111", "disabled": False},
    "codex-d@e.f.json": {
        "type": "codex",
        "email": "d@e.f",
        "access_token": "token-of-d-2222",
        "disabled": True,
        "account_id": "account-of-d",
        "project_id": "project-of-d",
    },
}

SECRETS = (
    "AIza-gemini-key-1111",
    "sk-claude-plain-1111",
    "sk-claude-pattern-2222",
    "sk-claude-off-3333",
    "sk-codex-key-1111",
    "vertex-key-1111",
    "sk-solo-key-1111",
    "sk-duo-key-1111",
    "sk-duo-key-2222",
    "sk-dark-key-1111",
    "sk-twilight-key-1111",
    "sk-twilight-key-2222",
    "sk-spare-key-1111",
    "sk-dead-key-1111",
    "token-of-a-1111",
    "token-of-d-2222",
    "user:password",
)

_TEXT = """\
# the pool of the suite
host: "127.0.0.1"
port: 8317
auth-dir: "{auth_dir}"
proxy-url: "" # direct
gemini-api-key:
  - api-key: "AIza-gemini-key-1111" # no address
claude-api-key:
  # plain
  - api-key: "sk-claude-plain-1111"
    base-url: "{address}"
    models:
      - name: "claude-demo"
        alias: "claude-alias"
  # with a pattern of the operator's
  - api-key: "sk-claude-pattern-2222"
    base-url: "{address}"
    excluded-models:
      - "claude-3-*"
  # off
  - api-key: "sk-claude-off-3333"
    base-url: "{address}"
    excluded-models: ["*"]
codex-api-key:
  - api-key: "sk-codex-key-1111"
    base-url: "http://user:password@{host}"
vertex-api-key:
  - api-key: "vertex-key-1111"
    base-url: "{address}"
openai-compatibility:
  - name: "solo" # one key
    base-url: "{address}/v1"
    api-key-entries:
      - api-key: "sk-solo-key-1111"
    models:
      - name: "demo-model"
        alias: "demo-alias"
  - name: "duo" # two keys
    base-url: "{address}/v1"
    api-key-entries:
      - api-key: "sk-duo-key-1111"
      - api-key: "sk-duo-key-2222"
  - name: "dark" # off
    disabled: true
    base-url: "{address}/v1"
    api-key-entries:
      - api-key: "sk-dark-key-1111"
  - name: "twilight" # off, two keys
    disabled: true
    base-url: "{address}/v1"
    api-key-entries:
      - api-key: "sk-twilight-key-1111"
      - api-key: "sk-twilight-key-2222"
  - name: "local" # no key
    base-url: "{address}/local/v1"
  - name: "spare" # one key, one blank
    base-url: "{address}/v1"
    api-key-entries:
      - api-key: "sk-spare-key-1111"
      - api-key: "   "
  - name: "dead" # nobody listens there
    base-url: "{dead}"
    api-key-entries:
      - api-key: "sk-dead-key-1111"
# the end of the pool
"""


def pool_text(address: str, auth_dir: str) -> str:
    """config.yaml of the suite, for upstreams at `address`."""
    return _TEXT.format(address=address, auth_dir=auth_dir, host=address.removeprefix("http://"), dead=DEAD_ADDRESS)


def key_of(pool: Pool, section: Section, number: int = 0) -> Account:
    """The `number`-th account of a key section, in the order of the listing."""
    accounts = [
        account for account in pool.accounts if isinstance(account.ref, KeyRef) and account.ref.section is section
    ]
    return accounts[number]


def compat(pool: Pool, name: str, number: int = 0) -> Account:
    """The `number`-th account of a compatible provider."""
    return [account for account in pool.accounts if account.compat_name == name][number]


def file_of(pool: Pool, name: str) -> Account:
    """The account of an auth file."""
    return next(account for account in pool.accounts if account.ref == FileRef(name))
