import { arrange, element } from "../dom.js";

/**
 * The control a setting is chosen by. A group of switches is one control with several boxes in it.
 *
 * @param {import("./fields.js").Field} field
 * @returns {any}
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
      return element("fieldset", { class: "switches", attributes }, element("legend", { text: field.label }),
        ...field.parts.map(([part, label]) => element("label", {},
          element("input", { attributes: { type: "checkbox", value: part } }), element("span", { text: label }))));
    case "count":
      return numberInput(attributes, field.least, field.most);
    case "share":
      return numberInput(attributes, 0, 100);
    default:
      return element("input", { attributes: { ...attributes, type: "text", maxlength: 200, spellcheck: "false" } });
  }
}

/**
 * What is chosen at a control; NaN for a number that is not there.
 *
 * @param {import("./fields.js").Field} field
 * @param {any} control
 */
export function readControl(field, control) {
  if (field.kind === "switch") return control.checked;
  if (field.kind === "switches") return Object.fromEntries(boxesOf(control).map((box) => [box.value, box.checked]));
  if (field.kind === "count") return numberOf(control);
  if (field.kind === "share") return numberOf(control) / 100;
  return field.kind === "text" ? control.value.trim() : control.value;
}

/**
 * Shows a setting at its control, and lets be chosen what the other settings allow. What is being typed is left alone.
 *
 * @param {import("./fields.js").Field} field
 * @param {any} control
 * @param {import("./stored_settings.js").Settings} settings
 */
export function writeControl(field, control, settings) {
  const value = /** @type {any} */ (settings[field.name]);
  control.disabled = Boolean(field.needs) && !field.needs(settings);
  if (field.kind === "choice") offer(control, (field.choices ?? (() => field.values))(settings));
  if (field.kind === "switch") control.checked = value;
  else if (field.kind === "switches") {
    for (const box of boxesOf(control)) {
      box.disabled = !(field.lets ?? (() => true))(settings, box.value);
      box.checked = value[box.value] && !box.disabled;
    }
  } else if (control !== document.activeElement || field.kind === "choice") {
    control.value = field.kind === "share" ? String(Math.round(1000 * value) / 10) : value;
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} choices
 */
function offer(select, choices) {
  const known = new Map([...select.options].map((option) => [option.value, option]));
  arrange(select, choices.map(([value, text]) => {
    const option = known.get(value) ?? element("option", { attributes: { value } });
    if (option.textContent !== text) option.textContent = text;
    return option;
  }));
}

/** @param {HTMLElement} group */
function boxesOf(group) {
  return /** @type {HTMLInputElement[]} */ ([...group.querySelectorAll("input")]);
}

function numberInput(attributes, least, most) {
  return element("input", {
    attributes: { ...attributes, type: "number", min: least, max: most, step: 1, inputmode: "numeric" },
  });
}

/** @param {HTMLInputElement} input */
function numberOf({ value }) {
  return value.trim() === "" ? NaN : Number(value);
}
