import { element } from "../dom.js";
import { FIELDS, flawOf } from "./fields.js";

/**
 * The form with the settings of the next run: one control per setting the service knows, each saved when it changes
 * to a sound value.
 */
export class SettingsForm {
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} summary
   * @param {import("./settings_store.js").SettingsStore} store
   */
  constructor(form, summary, store) {
    this.form = form;
    this.summary = summary;
    this.store = store;
    /** @type {Map<string, any>} */
    this.controls = new Map();
    form.replaceChildren(
      element("div", { class: "settings-grid" }, ...this.#shown().map((field) => this.#fieldNode(field))),
      element("div", { class: "buttons" }, element("button", {
        class: "plain", text: "Reset to defaults", attributes: { type: "button" }, on: { click: () => store.reset() },
      })));
    form.addEventListener("submit", (event) => event.preventDefault());
    store.addEventListener("change", () => this.render());
    this.render();
  }

  /** True when every value on the form is sound; else the first unsound control has the focus. */
  confirm() {
    const broken = [...this.controls.values()].find((control) => control.getAttribute("aria-invalid") === "true");
    if (broken) {
      broken.closest("details").open = true;
      broken.focus();
    }
    return !broken;
  }

  render() {
    const { current, defaults } = this.store;
    for (const field of this.#shown()) {
      const control = this.controls.get(field.name);
      if (field.kind === "switch") control.checked = current[field.name];
      else if (control !== document.activeElement || control.tagName === "SELECT") control.value = current[field.name];
      if (field.needs) control.disabled = current[field.needs[0]] !== field.needs[1];
      if (control !== document.activeElement) this.#mark(field, "");
    }
    const changed = this.#shown().filter(({ name }) => current[name] !== defaults[name]).length;
    this.summary.textContent = changed ? `${changed} changed` : "defaults";
  }

  #shown() {
    return FIELDS.filter((field) => !field.scope && field.name in this.store.defaults);
  }

  /** @param {import("./fields.js").Field} field */
  #fieldNode(field) {
    const control = this.#control(field);
    this.controls.set(field.name, control);
    control.addEventListener("change", () => this.#save(field));
    if (field.kind === "count") control.addEventListener("input", () => this.#save(field));
    const label = element("label", { text: field.label, attributes: { for: control.id } });
    const hint = element("p", { class: "hint", text: field.hint ?? "", attributes: { id: `${control.id}-hint` } });
    const flaw = element("p", { class: "flaw", attributes: { id: `${control.id}-flaw`, hidden: true } });
    return element("div", { class: `field ${field.kind}` }, label, control, hint, flaw);
  }

  /**
   * @param {import("./fields.js").Field} field
   * @returns {any}
   */
  #control(field) {
    const id = `setting-${field.name}`;
    const attributes = { id, name: field.name, "aria-describedby": `${id}-hint ${id}-flaw` };
    if (field.kind === "choice") {
      return element("select", { attributes }, ...field.values.map(([value, label]) => element("option", {
        text: label,
        attributes: { value, disabled: field.available ? !field.available.includes(value) : false },
      })));
    }
    if (field.kind === "switch") return element("input", { attributes: { ...attributes, type: "checkbox" } });
    if (field.kind === "count") {
      return element("input", {
        attributes: { ...attributes, type: "number", min: field.least, max: field.most, step: 1, inputmode: "numeric" },
      });
    }
    return element("input", { attributes: { ...attributes, type: "text", maxlength: 200, spellcheck: "false" } });
  }

  /** @param {import("./fields.js").Field} field */
  #save(field) {
    const control = this.controls.get(field.name);
    const value = valueOf(field, control);
    const flaw = flawOf(field, value);
    this.#mark(field, flaw);
    if (!flaw && value !== this.store.current[field.name]) {
      this.store.replace({ ...this.store.current, [field.name]: value });
    }
  }

  /**
   * @param {import("./fields.js").Field} field
   * @param {string} flaw
   */
  #mark(field, flaw) {
    const control = this.controls.get(field.name);
    const text = document.getElementById(`${control.id}-flaw`);
    control.setAttribute("aria-invalid", String(Boolean(flaw)));
    if (!text) return;
    text.textContent = flaw && `${field.label} ${flaw}.`;
    text.hidden = !flaw;
  }
}

/**
 * @param {import("./fields.js").Field} field
 * @param {any} control
 */
function valueOf(field, control) {
  if (field.kind === "switch") return control.checked;
  if (field.kind === "count") return control.value.trim() === "" ? NaN : Number(control.value);
  return field.kind === "text" ? control.value.trim() : control.value;
}
