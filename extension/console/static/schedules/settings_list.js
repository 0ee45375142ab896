import { element } from "../dom.js";
import { FIELDS } from "../settings/fields.js";

/**
 * The settings something was saved with, folded away.
 *
 * @param {Record<string, any>} settings
 * @param {string} title what a reader says in place of the short one
 */
export function settingsList(settings, title) {
  const summary = element("summary", { text: "Show", attributes: { "aria-label": title } });
  return element("details", { attributes: { "aria-label": title } }, summary,
    element("dl", { class: "facts" }, ...Object.entries(settings).map(([name, value]) => {
      const field = FIELDS.find((known) => known.name === name);
      const label = field?.label ?? name;
      return element("div", {}, element("dt", { text: label }), element("dd", { text: valueText(field, value) }));
    })));
}

/**
 * @param {import("../settings/fields.js").Field | undefined} field
 * @param {any} value
 */
function valueText(field, value) {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (field?.kind === "switches") {
    return field.parts.filter(([part]) => value[part]).map(([, label]) => label).join(", ") || "none";
  }
  if (field?.kind === "share") return `${Math.round(1000 * value) / 10} %`;
  const label = field?.values?.find(([token]) => token === value)?.[1];
  return label ?? (value === "" ? "–" : String(value));
}
