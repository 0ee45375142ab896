"""The settings of the page are those of the service, value for value."""

from typing import Any

from playwright.sync_api import Page

from extension.inspection.settings import InspectionSettings, RealtimeAutoActions
from tests.browser.stand_in.service import DEFAULTS

FIELDS = """
async () => {
  const { FIELDS } = await import("/monitor/static/settings/fields.js");
  return FIELDS.map(({ name, kind, values, parts, least, most }) => ({ name, kind, values, parts, least, most }));
}
"""
KINDS = {"switch": "boolean", "count": "integer", "share": "number", "text": "string", "choice": "string"}
SCHEMA = InspectionSettings.model_json_schema(by_alias=True)
UNBOUNDED = 1_000_000


def described(name: str) -> dict[str, Any]:
    schema = SCHEMA["properties"][name]
    reference = schema.get("$ref") or next((part["$ref"] for part in schema.get("allOf", ())), None)
    return {**schema, **SCHEMA["$defs"][reference.rpartition("/")[2]]} if reference else dict(schema)


def test_every_setting_of_the_service_is_on_the_page_with_its_values_and_its_range(operator: Page) -> None:
    fields = {field["name"]: field for field in operator.evaluate(FIELDS)}

    assert set(fields) == set(SCHEMA["properties"])
    for name, field in fields.items():
        schema = described(name)
        if field["kind"] == "switches":
            assert field["parts"] == list(RealtimeAutoActions.model_fields)
            continue
        assert schema["type"] == KINDS[field["kind"]], name
        if field["kind"] == "choice":
            assert field["values"] == schema["enum"], name
        if field["kind"] == "count":
            assert (field["least"], field["most"]) == (schema["minimum"], schema.get("maximum", UNBOUNDED)), name


def test_the_stand_in_knows_the_settings_of_the_service() -> None:
    assert InspectionSettings().as_stored() == DEFAULTS
