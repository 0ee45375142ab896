"""Management writes as values, for tests that try any sequence of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from gateway.internal.configuration.oauth_maps import OAUTH_MAPS
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.sections import Selector, delete_entry, list_section, patch_entry, replace_section
from gateway.internal.operations.settings import (
    delete_client_key,
    put_channel,
    put_client_key,
    replace_client_keys,
    write_setting,
)
from gateway.internal.operations.status import StatusChange, set_disabled
from gateway.internal.runtime import Runtime

POOL = """# my pool
port: 1
auth-dir: /auths # files
debug: false
remote-management: # who may
  allow-remote: false
  my-own: [1, 2] # mine
later-key: {keep: me} # for a later version
api-keys: # clients
  - client-1 # one
  - client-2
claude-api-key:
  # first
  - api-key: k1 # one
    x-note: n1
    base-url: https://one.example # base
    models:
      - name: m1 # model
        x-model: keep
  # second
  - api-key: k2
    excluded-models:
      - opus-* # dear
    # end of second
  # third
  - api-key: k3
    x-note: n3
    headers:
      A: b # header
# between
openai-compatibility:
  # solo
  - name: solo
    x-note: s
    base-url: https://solo.example/v1 # there
    api-key-entries:
      - api-key: s1 # the key
        x-note: inside
  # duo
  - name: duo
    base-url: https://duo.example/v1
    api-key-entries: [{api-key: d1}, {api-key: d2}]
oauth-excluded-models:
  claude: [opus-*] # files
# the end
"""

KEYS = ("k1", "k2", "k3", "k4", "k5")
NAMES = ("solo", "duo", "trio")


@dataclass(frozen=True)
class Write:
    """One management write, and what it is. With ``whole`` it replaces the file, and the comments with it."""

    text: str
    make: Callable[[Runtime], Awaitable[object]]
    whole: bool = False

    def __repr__(self) -> str:
        return self.text


def _key_entries() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"api-key": st.sampled_from(KEYS)},
        optional={
            "base-url": st.sampled_from(["https://one.example", "https://two.example"]),
            "prefix": st.sampled_from(["", "team"]),
            "weight": st.sampled_from([0, 5, None]),
            "excluded-models": st.lists(st.sampled_from(["*", "opus-*", "sonnet"]), max_size=2),
            "headers": st.dictionaries(st.sampled_from(["A", "B"]), st.sampled_from(["b", "c"]), max_size=2),
            "models": st.lists(
                st.fixed_dictionaries({"name": st.sampled_from(["m1", "m2"]), "alias": st.sampled_from(["a", "b"])}),
                max_size=2,
            ),
        },
    )


def _providers() -> st.SearchStrategy[dict[str, Any]]:
    keys = st.lists(st.fixed_dictionaries({"api-key": st.sampled_from(["s1", "d1", "d2", "t1"])}), max_size=2)
    return st.fixed_dictionaries(
        {"name": st.sampled_from(NAMES), "base-url": st.sampled_from(["https://solo.example/v1", "https://x.example"])},
        optional={"api-key-entries": keys, "disabled": st.booleans()},
    )


def _replacing() -> st.SearchStrategy[Write]:
    def made(section: Section, entries: list[dict[str, Any]]) -> Write:
        return Write(f"put {section} {entries}", lambda runtime: replace_section(runtime, section, entries))

    return st.one_of(
        st.builds(made, st.just(Section.CLAUDE), st.lists(_key_entries(), max_size=4)),
        st.builds(made, st.just(Section.COMPAT), st.lists(_providers(), max_size=3)),
        st.builds(made, st.just(Section.CODEX), st.lists(_key_entries(), max_size=2)),
    )


def _rearranging() -> st.SearchStrategy[Write]:
    """Put back what is listed, in another order or without some."""

    def made(section: Section, order: list[int]) -> Write:
        async def make(runtime: Runtime) -> object:
            shown = list_section(runtime, section)
            return await replace_section(runtime, section, [shown[at] for at in order if at < len(shown)])

        return Write(f"rearrange {section} {order}", make)

    order = st.lists(st.integers(0, 3), max_size=4, unique=True)
    return st.builds(made, st.sampled_from([Section.CLAUDE, Section.COMPAT]), order)


def _patching() -> st.SearchStrategy[Write]:
    def made(index: int, patch: dict[str, Any]) -> Write:
        selector = Selector(index=index)
        return Write(f"patch {index} {patch}", lambda runtime: patch_entry(runtime, Section.CLAUDE, selector, patch))

    def removed(section: Section, index: int) -> Write:
        return Write(f"delete {section} {index}", lambda runtime: delete_entry(runtime, section, Selector(index=index)))

    sections = st.sampled_from([Section.CLAUDE, Section.COMPAT])
    return st.one_of(
        st.builds(made, st.integers(0, 3), _key_entries()), st.builds(removed, sections, st.integers(0, 3))
    )


def _settings() -> st.SearchStrategy[Write]:
    def made(name: str, value: object) -> Write:
        return Write(f"set {name} {value}", lambda runtime: write_setting(runtime, name, value))

    values = [
        ("debug", True),
        ("debug", False),
        ("proxy-url", "http://proxy.example"),
        ("proxy-url", ""),
        ("routing/strategy", "ff"),
        ("request-retry", 3),
        ("quota-exceeded/switch-project", True),
    ]
    return st.builds(lambda pair: made(*pair), st.sampled_from(values))


def _lists() -> st.SearchStrategy[Write]:
    keys = ["client-1", " client-2 ", "client-3"]
    channels = st.sampled_from(["claude", "codex"])
    patterns = st.lists(st.sampled_from(["opus-*", "sonnet"]), max_size=2)
    excluded = OAUTH_MAPS[0]
    return st.one_of(
        st.builds(
            lambda goal: Write(f"keys {goal}", lambda runtime: replace_client_keys(runtime, goal)),
            st.lists(st.sampled_from(keys), max_size=3),
        ),
        st.builds(
            lambda old, new: Write(f"key {old} {new}", lambda runtime: put_client_key(runtime, new, old=old)),
            st.sampled_from(keys),
            st.sampled_from(keys),
        ),
        st.builds(
            lambda key: Write(f"no key {key}", lambda runtime: delete_client_key(runtime, key=key)),
            st.sampled_from(keys),
        ),
        st.builds(
            lambda name, items: Write(
                f"channel {name} {items}", lambda runtime: put_channel(runtime, excluded, name, items)
            ),
            channels,
            patterns,
        ),
    )


def _switching() -> st.SearchStrategy[Write]:
    def made(number: int, disabled: bool) -> Write:
        async def make(runtime: Runtime) -> object:
            pool = (*runtime.snapshot.credentials, *runtime.snapshot.dormant)
            return await set_disabled(runtime, [StatusChange(each.id, disabled) for each in pool[number : number + 2]])

        return Write(f"switch {number} {disabled}", make)

    return st.builds(made, st.integers(0, 5), st.booleans())


def writes() -> st.SearchStrategy[Write]:
    """Return any management write on ``POOL``, sensible or not."""
    return st.one_of(_replacing(), _rearranging(), _patching(), _settings(), _lists(), _switching())
