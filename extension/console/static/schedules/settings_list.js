import { element } from "../dom.js";
import { formatPercent, written } from "../formatting.js";
import { fieldLabel, FIELDS, valueLabel } from "../settings/fields.js";
import { modeLabel } from "../settings/modes.js";
import { currentLanguage, text } from "../language/catalogue.js";

/** @import { Field, SwitchesField } from "../settings/fields.js" */

/**
 * Collapsed list of the settings of a schedule.
 *
 * @param {Record<string, unknown>} settings
 * @param {string} title accessible name
 */
export function settingsList(settings, title) {
  const summary = element("summary", {
    text: text("schedule.show"), attributes: { "aria-label": `${text("schedule.show")}: ${title}` },
  });
  return element("details", { attributes: { "aria-label": title } }, summary,
    element("dl", { class: "facts" }, ...Object.entries(settings).map(([name, value]) => {
      const field = FIELDS.find((known) => known.name === name);
      return element("div", {}, element("dt", { text: fieldLabel({ name }) }),
        element("dd", { text: valueText(field, value, settings.accountSource) }));
    })));
}

/**
 * @param {Field | undefined} field
 * @param {unknown} value
 * @param {unknown} source account source of the run, on which the label of a mode depends
 */
function valueText(field, value, source) {
  if (typeof value === "boolean") return value ? text("schedule.value_on") : text("schedule.value_off");
  if (field?.name === "autoActionMode") return modeLabel(source === "api_key" ? source : "oauth", String(value));
  switch (field?.kind) {
    case "switches":
      return switchedOn(field, value) || text("schedule.value_none");
    case "share":
      return formatPercent(100 * Number(value), "–");
    case "choice":
      return valueLabel(field, String(value));
    default:
      return written(value);
  }
}

/**
 * @param {SwitchesField} field
 * @param {unknown} value
 */
function switchedOn(field, value) {
  const on = new Map(Object.entries(value ?? {}));
  const parts = field.parts.filter((part) => on.get(part)).map((part) => valueLabel(field, part));
  return new Intl.ListFormat(currentLanguage(), { type: "unit" }).format(parts);
}
