import { element } from "../dom.js";
import { controlOf, readControl, writeControl } from "./controls.js";
import { fieldHint, fieldLabel, FIELDS, flawOf, GROUPS } from "./fields.js";
import { text as phrase } from "../language/catalogue.js";
import { unfold } from "../layout/fold.js";

/**
 * @import { Control } from "./controls.js"
 * @import { Field, Group } from "./fields.js"
 */

/**
 * Form of the run settings: one control per setting of the service, each saved on change when it is valid.
 */
export class SettingsForm {
  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} summary
   * @param {import("./settings_store.js").SettingsStore} store
   * @param {AbortSignal} signal the page is left
   */
  constructor(form, summary, store, signal) {
    this.form = form;
    this.summary = summary;
    this.store = store;
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    form.replaceChildren(
      ...GROUPS.map((group) => this.#groupNode(group)),
      element("div", { class: "buttons" }, element("button", {
        class: "plain", text: phrase("settings_form.reset"), attributes: { type: "button" },
        on: { click: () => store.reset() },
      })));
    form.addEventListener("submit", (event) => event.preventDefault());
    store.addEventListener("change", () => this.render(), { signal });
    this.render();
  }

  /** Return whether every value is valid, and focus the first invalid control otherwise. */
  confirm() {
    const broken = [...this.controls.values()].find((control) => control.getAttribute("aria-invalid") === "true");
    if (broken) {
      const drawer = broken.closest("details");
      if (drawer) drawer.open = true;
      unfold(broken);
      broken.focus();
    }
    return !broken;
  }

  render() {
    const { current, defaults } = this.store;
    for (const field of this.#shown()) {
      const control = this.#control(field);
      writeControl(field, control, current);
      if (control !== document.activeElement) this.#mark(field, "");
    }
    const changed = this.#shown().filter(({ name }) => !same(current[name], defaults[name])).length;
    this.summary.textContent = changed
      ? phrase("settings_form.changed", { n: changed }) : phrase("settings_form.defaults");
  }

  #shown() {
    return FIELDS.filter((field) => !field.scope && field.name in this.store.defaults);
  }

  /** @param {Field} field */
  #control(field) {
    const control = this.controls.get(field.name);
    if (!control) throw new Error(`The form has no control for "${field.name}".`);
    return control;
  }

  /** @param {Group} group */
  #groupNode(group) {
    const fields = this.#shown().filter((field) => field.group === group);
    return element("fieldset", { class: "settings-group", attributes: { hidden: !fields.length } },
      element("legend", { text: phrase(`field_group.${group}`) }),
      element("div", { class: "settings-grid" }, ...fields.map((field) => this.#fieldNode(field))));
  }

  /** @param {Field} field */
  #fieldNode(field) {
    const control = controlOf(field);
    this.controls.set(field.name, control);
    control.addEventListener("change", () => this.#save(field));
    if (["count", "share"].includes(field.kind)) control.addEventListener("input", () => this.#save(field));
    // A group of switches names itself; a label would belong to one of them.
    const labels = field.kind === "switches"
      ? [] : [element("label", { text: fieldLabel(field), attributes: { for: control.id } })];
    const hint = element("p", { class: "hint", text: fieldHint(field), attributes: { id: `${control.id}-hint` } });
    const flaw = element("p", { class: "flaw", attributes: { id: `${control.id}-flaw`, hidden: true } });
    return element("div", { class: `field ${field.kind}` }, ...labels, control, hint, flaw);
  }

  /** @param {Field} field */
  #save(field) {
    const control = this.#control(field);
    const value = readControl(field, control);
    const flaw = flawOf(field, value);
    this.#mark(field, flaw);
    if (!flaw && !same(value, this.store.current[field.name])) {
      this.store.replace({ ...this.store.current, [field.name]: value });
    }
  }

  /**
   * @param {Field} field
   * @param {string} flaw
   */
  #mark(field, flaw) {
    const control = this.#control(field);
    const text = document.getElementById(`${control.id}-flaw`);
    control.setAttribute("aria-invalid", String(Boolean(flaw)));
    if (!text) return;
    text.textContent = flaw;
    text.hidden = !flaw;
  }
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
