"""The rest of the management writes as values: whole texts, maps, every section, and credential files."""

import json
from typing import Any

from hypothesis import strategies as st

from gateway.internal.configuration.errors import ConfigurationError
from gateway.internal.configuration.oauth_maps import OAUTH_MAPS
from gateway.internal.configuration.sections import Section
from gateway.internal.operations.changing import Refused
from gateway.internal.operations.configuration import write_text
from gateway.internal.operations.file_fields import patch_fields
from gateway.internal.operations.files import delete_all, delete_files
from gateway.internal.operations.sections import Selector, delete_entry, patch_entry, replace_section
from gateway.internal.operations.settings import delete_channel, delete_client_key, put_client_key, replace_map
from gateway.internal.operations.uploading import Upload, upload_files
from gateway.internal.runtime import Runtime
from tests.operations.writes import POOL, Write

FILES = ("claude-a.json", "codex-b.json")
OTHER_SECTIONS = (Section.GEMINI, Section.INTERACTIONS, Section.CODEX, Section.XAI, Section.VERTEX)
TEXTS = (
    POOL,
    POOL.replace("k2", "k9").replace("debug: false", "debug: true"),
    "auth-dir: /auths # little\nclaude-api-key: [{api-key: k1, x-note: mine}] # one\n",
    "port: [\n",
    "port: many\n",
    "",
)


def _whole() -> st.SearchStrategy[Write]:
    def made(text: str) -> Write:
        async def make(runtime: Runtime) -> None:
            try:
                await write_text(runtime, text)
            except ConfigurationError as error:
                raise Refused(422, str(error)) from None

        return Write(f"whole {text[:20]!r}", make, whole=True)

    return st.builds(made, st.sampled_from(TEXTS))


def _sections() -> st.SearchStrategy[Write]:
    entry = st.fixed_dictionaries(
        {"api-key": st.sampled_from(["k1", "k2"]), "base-url": st.sampled_from(["http://a", "http://b"])},
        optional={"weight": st.sampled_from([0, 7]), "headers": st.just({"A": "b"})},
    )

    def replaced(section: Section, entries: list[dict[str, Any]]) -> Write:
        return Write(f"put {section} {entries}", lambda runtime: replace_section(runtime, section, entries))

    def patched(section: Section, patch: dict[str, Any]) -> Write:
        selector = Selector(index=0)
        return Write(f"patch {section} {patch}", lambda runtime: patch_entry(runtime, section, selector, patch))

    def deleted(section: Section) -> Write:
        selector = Selector(match="k1", base_url="http://a")
        return Write(f"delete {section}", lambda runtime: delete_entry(runtime, section, selector))

    sections = st.sampled_from(OTHER_SECTIONS)
    return st.one_of(
        st.builds(replaced, sections, st.lists(entry, max_size=3)),
        st.builds(patched, sections, entry),
        st.builds(deleted, sections),
    )


def _maps() -> st.SearchStrategy[Write]:
    items = {
        "oauth-excluded-models": ["opus-*"],
        "oauth-model-alias": [{"name": "a", "alias": "b"}],
        "oauth-request-scoped-errors": [{"status": 400, "match": ["full"], "action": "stop"}],
    }
    which = st.sampled_from(OAUTH_MAPS)
    channels = st.lists(st.sampled_from(["claude", "codex", "xai"]), unique=True, max_size=3)
    return st.one_of(
        st.builds(
            lambda one, names: Write(
                f"map {one.name} {names}",
                lambda runtime: replace_map(runtime, one, dict.fromkeys(names, items[one.name])),
            ),
            which,
            channels,
        ),
        st.builds(
            lambda one: Write(f"no channel {one.name}", lambda runtime: delete_channel(runtime, one, "claude")), which
        ),
        st.builds(
            lambda at: Write(f"no key at {at}", lambda runtime: delete_client_key(runtime, index=at)), st.integers(0, 2)
        ),
        st.builds(
            lambda at: Write(f"key at {at}", lambda runtime: put_client_key(runtime, "client-4", index=at)),
            st.integers(0, 2),
        ),
    )


def _files() -> st.SearchStrategy[Write]:
    content = json.dumps({"type": "claude", "x-note": 1}).encode()
    return st.one_of(
        st.builds(
            lambda name: Write(f"upload {name}", lambda runtime: upload_files(runtime, [Upload(name, content)])),
            st.sampled_from(FILES),
        ),
        st.builds(
            lambda name: Write(f"fields {name}", lambda runtime: patch_fields(runtime, name, {"note": "n"})),
            st.sampled_from(FILES),
        ),
        st.builds(
            lambda name: Write(f"remove {name}", lambda runtime: delete_files(runtime, [name])), st.sampled_from(FILES)
        ),
        st.just(Write("remove all", delete_all)),
    )


def further_writes() -> st.SearchStrategy[Write]:
    """Return a management write of a kind ``writes`` has not."""
    return st.one_of(_whole(), _sections(), _maps(), _files())
