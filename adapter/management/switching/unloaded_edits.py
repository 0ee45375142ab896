"""Edits of config.yaml that a stock gateway does not have in use. Pure.

Theory of operation (stock v7.2.140 and v7.2.0). The gateway follows the file that it has opened. An editor, or
`sed -i`, puts another file in its place: that edit is never loaded, nor is any later one, and the next save of the
gateway's memory overwrites them all. Only what cannot come from the gateway's own reading counts as a difference: it
trims, leaves out entries that it cannot use, those with a key that another has, and fields that its release does not
know.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeAlias

from adapter.rules.entries import KeyRecord, read_sections

_Entry: TypeAlias = tuple[object, ...]


def unloaded_section(disk: Mapping[str, Any], memory: Mapping[str, Any]) -> str:
    """Return a section in which the file has an edit that the gateway does not have in use; empty without one.

    `disk` is the parsed file, `memory` the entries of each section that the gateway answers, by name.
    """
    stored = [record for record in read_sections(disk) if record.facts.section.value in memory]
    in_use = read_sections(memory)
    absent = Counter(map(_entry, in_use)) - Counter(map(_entry, stored))
    known = {(record.facts.section, record.facts.api_key) for record in in_use}
    new = [record for record in stored if (record.facts.section, record.facts.api_key) not in known]
    sections = [str(entry[0]) for entry in absent] + [record.facts.section.value for record in new]
    return sections[0] if sections else ""


def _entry(record: KeyRecord) -> _Entry:
    facts = record.facts
    # The switch of a compatible provider is a field that old releases do not know.
    patterns = frozenset(pattern.strip().lower() for pattern in record.excluded_models) - {""}
    headers = frozenset((name.lower(), value) for name, value in facts.headers.items())
    return (
        facts.section.value,
        facts.api_key,
        facts.base_url,
        facts.compat_name,
        facts.proxy_url,
        facts.prefix,
        headers,
        patterns,
    )
