from __future__ import annotations

import re
import tomllib

import pytest

from adapter.contract.expectations import FLEET, OWN, own
from extension.engine.notifications import messages
from extension.inspection.settings import SETTING_NAMES, RealtimeAutoActions
from extension.serving.settings.service_settings import ServiceSettings
from extension.serving.settings.sources import (
    ENVIRONMENT_PREFIX,
    MANAGEMENT_KEY,
    PASSPHRASE,
    SERVER,
    SETTINGS_FILE,
    gather,
)
from extension.texts.catalogue import VARIABLE as LANGUAGE
from tests.repository.documents.names_in_sentences import unknown_names
from tests.repository.documents.texts import broken_links, current_documents, documents, fenced, prose, spans
from tests.repository.tracked import text_of, tracked_files
from tools.mirror.cli import main, program_with
from tools.mirror.findings import CODES
from tools.project.commands import COMMANDS
from tools.project.generate import documents as generators
from tools.project.generate.documents import REFERENCE
from tools.project.generate.interface import described

OF_TESTS = {"POOLKEEPER_CHROMIUM"}
VARIABLES = {f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in ServiceSettings.model_fields}
VARIABLES |= {LANGUAGE, MANAGEMENT_KEY, PASSPHRASE, SERVER, SETTINGS_FILE} | OF_TESTS
WORDS_OF_README = 350
DECISION = re.compile(r"^docs/decisions/(\d{4})-[a-z0-9-]+\.md$")


def unknown_settings(text: str) -> list[str]:
    """Names in a document that look like settings and are none."""
    nested = {f"realtimeAutoActions.{name}" for name in RealtimeAutoActions.model_fields}
    names = {*ServiceSettings.model_fields, *SETTING_NAMES, *nested}
    variables = [word for word in re.findall(r"\bPOOLKEEPER_[A-Z_]*[A-Z]\b", text) if word not in VARIABLES]
    cells = re.findall(r"^\| (?:[A-Z][a-z ]+ \| )?`([A-Za-z_.]+)` \| (?:`POOLKEEPER|.*\| )", text, re.MULTILINE)
    return variables + [cell for cell in cells if cell not in names and not cell.startswith(("api_key", "oauth"))]


def test_the_tables_in_the_documents_are_those_of_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["generate", "docs", "--check"], COMMANDS)

    assert (status, capsys.readouterr().err) == (0, "")


def test_a_table_that_was_edited_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    others = {**generators.BLOCKS["docs/verdicts.md"], "verdicts": lambda: "| another table |"}
    monkeypatch.setattr(generators, "BLOCKS", {"docs/verdicts.md": others})

    assert main(["generate", "docs", "--check"], COMMANDS) == 1
    assert capsys.readouterr().err == "error: out of date: verdicts.md\nhelp: make docs\n"


@pytest.mark.parametrize("name", current_documents())
def test_a_document_names_settings_that_exist(name: str) -> None:
    variables = re.findall(r"\bPOOLKEEPER_[A-Z_]*[A-Z]\b", text_of(name))

    assert [variable for variable in variables if variable not in VARIABLES] == []
    assert unknown_names(text_of(name)) == []


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Set `keep_bananas = 5` first.", "keep_bananas"),
        ("The setting `bananaLimit` is new.", "bananaLimit"),
        ("Start it with `--bananas 5`.", "--bananas"),
    ],
)
def test_an_unknown_name_in_a_sentence_is_named(sentence: str, name: str) -> None:
    assert unknown_names(f"Use `disableLimit`, `reads_per_second = 40` and `--gateway URL`. {sentence}") == [name]


def test_every_setting_in_the_settings_document_exists_and_every_setting_is_there() -> None:
    text = text_of("docs/settings.md")

    assert unknown_settings(text) == []
    assert [name for name in (*ServiceSettings.model_fields, *SETTING_NAMES) if name not in text] == []
    assert sorted(variable for variable in VARIABLES - OF_TESTS if variable not in text) == []


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("| `keep_forever` | `POOLKEEPER_KEEP_RUNS` | none | `1` | 1 to 2 | Planted. |", "keep_forever"),
        ("| Scope | `sampelSize` | `0` | 0 to 1 | Planted. |", "sampelSize"),
        ("Set `POOLKEEPER_KEEP_FOREVER`.", "POOLKEEPER_KEEP_FOREVER"),
    ],
)
def test_an_unknown_setting_in_a_document_is_named(row: str, name: str) -> None:
    assert unknown_settings(f"{text_of('docs/settings.md')}\n{row}\n") == [name]


def test_the_settings_document_names_every_kind_of_webhook_message() -> None:
    kinds = {messages.CHANGED, messages.FAILED, messages.NOT_STARTED, str(messages.TEST["kind"])}

    assert [kind for kind in kinds if f"`{kind}`" not in text_of("docs/settings.md")] == []


def test_the_settings_files_in_the_documents_can_be_used() -> None:
    examples = list(fenced(text_of("docs/settings.md"), "toml"))

    assert examples != []
    assert [gather(file=tomllib.loads(example)).warnings for example in examples] == [()] * len(examples)


@pytest.mark.parametrize("name", documents())
def test_every_link_within_the_repository_resolves(name: str) -> None:
    assert broken_links(name, text_of(name)) == []


@pytest.mark.parametrize("target", ["nowhere.md", "settings.md#nowhere", "#nowhere", "../../outside.md"])
def test_a_broken_link_is_named(target: str) -> None:
    assert broken_links("docs/planted.md", f"# Here\n\n[a link]({target}) and [another](settings.md)") == [target]


@pytest.mark.parametrize("name", [name for name in documents() if name != "CHANGELOG.md"])
def test_every_file_of_the_repository_that_a_document_names_exists(name: str) -> None:
    folders = {part for file in tracked_files() for part in _parents(file)}
    path = re.compile(r"(?:extension|adapter|tools|tests|docs)/[\w./-]+")
    named = [span for span in spans(text_of(name)) if path.fullmatch(span)]

    assert [
        name
        for name in named
        if name.rstrip("/") not in folders and name not in tracked_files() and not name.startswith(REFERENCE)
    ] == []


def _parents(file: str) -> list[str]:
    parts = file.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def test_the_references_hold_the_own_paths_of_the_contract_and_every_command() -> None:
    names = [name for row in OWN for name in (row.name, *(part for part, _ in row.parts))]
    names += [name for name, _ in FLEET]
    references = {path.name: text for path, text in generators.references(program_with(COMMANDS)).items()}

    assert [path for path in map(own, names) if f"`{path}`" not in references["api.md"]] == []
    assert set(described()["paths"]) <= set(map(own, names))
    assert [code for code in CODES if f"`{code}`" not in references["findings.md"]] == []
    assert all(
        f"`{name}`" in references["command-line.md"] for name in ("poolkeeper run apply", "python -m tools gates")
    )


def test_every_finding_code_in_a_document_exists() -> None:
    pattern = re.compile(r"\b(?:MIR|PIN|PAT|ENV|GEN|IMP|CON)\d{3}\b")
    named = {code for name in current_documents() for code in pattern.findall(text_of(name))}

    assert named <= set(CODES)


def test_readme_is_read_aloud_in_two_minutes() -> None:
    assert len(prose(text_of("README.md")).split()) <= WORDS_OF_README


def test_decisions_are_numbered_and_have_every_part() -> None:
    names = [name for name in documents() if DECISION.match(name)]
    numbers = [int(match[1]) for name in names if (match := DECISION.match(name))]
    shape = re.compile(
        r"# \d{4} · .+\n\n- Status: (accepted|superseded by \[\d{4}\]\(.+\))\n- Date: \d{4}-\d\d-\d\d\n\n"
        r"## Context\n\n.+\n\n## Decision\n\n.+\n\n## Consequences\n\n.+\n",
        re.DOTALL,
    )

    assert len(set(numbers)) == len(numbers)
    assert [name for name in names if not shape.fullmatch(text_of(name))] == []


def test_the_index_of_decisions_holds_each_with_its_title_and_status() -> None:
    index = text_of("docs/decisions/README.md")
    for name in filter(DECISION.match, documents()):
        head, _, status = text_of(name).split("\n")[:3]
        number, title = head.removeprefix("# ").split(" · ")
        row = f"| [{number}]({name.rpartition('/')[2]}) | {title} | {status.removeprefix('- Status: ')} |"

        assert row in index
