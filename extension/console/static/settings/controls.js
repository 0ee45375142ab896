import { arrange, element } from "../dom.js";
import { valueLabel, fieldLabel } from "./fields.js";
import { modeLabel } from "./modes.js";

/**
 * @import { ChoiceField, Field, Settings, Switches, SwitchesField } from "./fields.js"
 * @typedef {HTMLInputElement | HTMLSelectElement | HTMLFieldSetElement} Control
 */

/**
 * Build the control of a setting. A group of switches is one control with several boxes in it.
 *
 * @param {Field} field
 * @returns {Control}
 */
export function controlOf(field) {
  const id = `setting-${field.name}`;
  const attributes = { id, name: field.name, "aria-describedby": `${id}-hint ${id}-flaw` };
  switch (field.kind) {
    case "choice":
      return element("select", { attributes });
    case "switch":
      return element("input", { attributes: { ...attributes, type: "checkbox" } });
    case "switches":
      return element("fieldset", { class: "switches", attributes },
        element("legend", { text: fieldLabel(field) }),
        ...field.parts.map((part) => element("label", {},
          element("input", { attributes: { type: "checkbox", value: part } }),
          element("span", { text: valueLabel(field, part) }))));
    case "count":
      return numberInput(attributes, field.least, field.most);
    case "share":
      return numberInput(attributes, 0, 100);
    default:
      return element("input", {
        attributes: { ...attributes, type: "text", maxlength: field.maxLength, spellcheck: "false" },
      });
  }
}

/**
 * Return the value at a control; NaN for a number that is missing.
 *
 * @param {Field} field
 * @param {Control} control
 * @returns {Settings[keyof Settings]}
 */
export function readControl(field, control) {
  if (control instanceof HTMLFieldSetElement) {
    const switches = boxesOf(control).map((box) => [box.value, box.checked]);
    return /** @type {Switches} */ (Object.fromEntries(switches));
  }
  if (field.kind === "switch") return control instanceof HTMLInputElement && control.checked;
  if (field.kind === "count") return numberOf(control);
  if (field.kind === "share") return numberOf(control) / 100;
  return field.kind === "text" ? control.value.trim() : control.value;
}

/**
 * Show a setting at its control, limited to the values that the other settings allow. A control in use is left alone.
 *
 * @param {Field} field
 * @param {Control} control
 * @param {Settings} settings
 */
export function writeControl(field, control, settings) {
  control.disabled = field.needs !== undefined && !field.needs(settings);
  if (control instanceof HTMLFieldSetElement) {
    if (field.kind === "switches") writeSwitches(field, control, settings);
  } else if (control instanceof HTMLSelectElement) {
    if (field.kind === "choice") writeChoice(field, control, settings);
  } else if (field.kind === "switch") control.checked = settings[field.name] === true;
  else if (control !== document.activeElement) {
    const value = settings[field.name];
    control.value = field.kind === "share" ? String(Math.round(1000 * Number(value)) / 10) : String(value);
  }
}

/**
 * @param {SwitchesField} field
 * @param {HTMLFieldSetElement} group
 * @param {Settings} settings
 */
function writeSwitches(field, group, settings) {
  const switches = /** @type {Switches} */ (settings[field.name]);
  for (const box of boxesOf(group)) {
    const part = /** @type {keyof Switches} */ (box.value);
    box.disabled = field.lets !== undefined && !field.lets(settings, part);
    box.checked = switches[part] && !box.disabled;
  }
}

/**
 * @param {ChoiceField} field
 * @param {HTMLSelectElement} select
 * @param {Settings} settings
 */
function writeChoice(field, select, settings) {
  const known = new Map([...select.options].map((option) => [option.value, option]));
  const choices = field.choices ? field.choices(settings) : field.values;
  arrange(select, choices.map((value) => {
    const text = field.name === "autoActionMode"
      ? modeLabel(settings.accountSource, value) : valueLabel(field, value);
    const option = known.get(value) ?? element("option", { attributes: { value } });
    if (option.textContent !== text) option.textContent = text;
    return option;
  }));
  select.value = String(settings[field.name]);
}

/** @param {HTMLFieldSetElement} group */
function boxesOf(group) {
  return [...group.querySelectorAll("input")];
}

/**
 * @param {Record<string, string>} attributes
 * @param {number} least
 * @param {number} most
 */
function numberInput(attributes, least, most) {
  return element("input", {
    attributes: { ...attributes, type: "number", min: least, max: most, step: 1, inputmode: "numeric" },
  });
}

/** @param {{value: string}} control */
function numberOf({ value }) {
  return value.trim() === "" ? NaN : Number(value);
}
