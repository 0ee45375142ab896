import { element } from "../dom.js";

/**
 * @param {string} id
 * @param {Record<string, string | number | boolean>} attributes
 * @param {string | number} value
 */
export function input(id, attributes, value) {
  const control = element("input", { attributes: { id, ...attributes } });
  if (attributes.type !== "checkbox") control.value = String(value);
  return control;
}

/**
 * @param {string} text
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {string} [kind]
 */
export function field(text, control, kind = "") {
  const label = element("label", { text, attributes: { for: control.id } });
  return element("div", { class: `field ${kind}` }, label, control);
}
