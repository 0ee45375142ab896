import { element } from "../dom.js";
import { FIELDS } from "../settings/fields.js";
import { text } from "../language/catalogue.js";

/** @import { Field } from "../settings/fields.js" */

/**
 * Collapsed list of the settings of a schedule.
 *
 * @param {Record<string, unknown>} settings
 * @param {string} title accessible name
 */
export function settingsList(settings, title) {
  const summary = element("summary", { text: text("schedule.show"), attributes: { "aria-label": title } });
  return element("details", { attributes: { "aria-label": title } }, summary,
    element("dl", { class: "facts" }, ...Object.entries(settings).map(([name, value]) => {
      const field = FIELDS.find((known) => known.name === name);
      const label = field?.label ?? name;
      return element("div", {}, element("dt", { text: label }), element("dd", { text: valueText(field, value) }));
    })));
}

/**
 * @param {Field | undefined} field
 * @param {unknown} value
 */
function valueText(field, value) {
  if (typeof value === "boolean") return value ? text("schedule.value_on") : text("schedule.value_off");
  if (field?.kind === "switches" && typeof value === "object" && value !== null) {
    const on = new Map(Object.entries(value));
    return field.parts.filter(([part]) => on.get(part)).map(([, label]) => label).join(", ")
      || text("schedule.value_none");
  }
  if (field?.kind === "share") return `${Math.round(1000 * Number(value)) / 10} %`;
  const label = field?.kind === "choice" ? field.values.find(([token]) => token === value)?.[1] : undefined;
  return label ?? (value === "" ? "–" : String(value));
}
