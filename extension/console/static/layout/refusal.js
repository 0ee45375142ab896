import { ApiProblem, explained, isSignedOut } from "../connection/problem.js";
import { element } from "../dom.js";

/** @typedef {Record<string, HTMLInputElement | HTMLSelectElement>} Controls controls by the names of request fields */

/**
 * Return whether the service refused the request itself, which the form can put right.
 *
 * @param {unknown} problem
 */
export function isRefused(problem) {
  return problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500 && !isSignedOut(problem);
}

/**
 * Return the name of the control for a field of the request, which may lie below it; empty when there is none.
 *
 * @param {string} field with dots below an object
 * @param {readonly string[]} names
 */
export function controlFor(field, names) {
  return names.filter((name) => field === name || field.startsWith(`${name}.`))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), "");
}

/** Refusal of a save, in the form: below the field that it names, or at the end. The input stays as it is. */
export class Refusal {
  /** @type {HTMLInputElement | HTMLSelectElement | null} */ #marked = null;

  /**
   * @param {HTMLElement} form
   * @param {Controls} controls
   */
  constructor(form, controls) {
    this.form = form;
    this.controls = controls;
    this.node = element("div", { class: "problem", attributes: { role: "alert", hidden: true } });
    this.node.id = `${Object.values(controls)[0]?.id ?? "form"}-refusal`;
    form.append(this.node);
  }

  /** Clear the refusal of the last save. */
  clear() {
    this.node.hidden = true;
    this.node.replaceChildren();
    const described = this.#marked?.getAttribute("aria-describedby")?.split(" ") ?? [];
    const left = described.filter((id) => id !== this.node.id).join(" ");
    if (left) this.#marked?.setAttribute("aria-describedby", left);
    else this.#marked?.removeAttribute("aria-describedby");
    this.#marked?.removeAttribute("aria-invalid");
    this.#marked = null;
  }

  /**
   * Show a problem, and put the focus on the field that it names.
   *
   * @param {unknown} problem
   */
  show(problem) {
    this.clear();
    const { message, hint } = explained(problem);
    this.node.append(element("p", { text: message }), ...(hint ? [element("p", { class: "hint", text: hint })] : []));
    const field = problem instanceof ApiProblem ? problem.field : "";
    const control = this.controls[controlFor(field, Object.keys(this.controls))];
    const place = control?.checkVisibility() ? control.closest(".field") : null;
    (place ?? this.form).append(this.node);
    this.node.hidden = false;
    if (control && place) this.#mark(control);
  }

  /** @param {HTMLInputElement | HTMLSelectElement} control */
  #mark(control) {
    this.#marked = control;
    control.setAttribute("aria-invalid", "true");
    const described = control.getAttribute("aria-describedby");
    control.setAttribute("aria-describedby", described ? `${described} ${this.node.id}` : this.node.id);
    control.focus();
  }
}
