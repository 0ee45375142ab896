import { explained } from "../connection/problem.js";
import { byId, element } from "../dom.js";
import { OUTCOME_ID, outcomeNodes } from "./plan_nodes.js";

/** @import { ActionsAnswer } from "../../_generated_types.js" */

/**
 * Confirmation dialog of a change: planned writes first, results after confirmation.
 */
export class ActionDialog {
  #busy = false;
  /** @type {HTMLElement | null} */ #opener = null;
  /** @type {HTMLElement | null} */ #panel = null;

  constructor() {
    this.dialog = byId("action-dialog", HTMLDialogElement);
    this.heading = byId("action-heading");
    this.body = byId("action-body");
    this.buttons = byId("action-buttons");
    this.dialog.addEventListener("cancel", (event) => { if (this.#busy) event.preventDefault(); });
    this.dialog.addEventListener("close", () => this.#handBackFocus());
  }

  /**
   * @param {object} change
   * @param {string} change.title
   * @param {string} change.verb on the button that confirms
   * @param {boolean} [change.danger]
   * @param {HTMLElement[]} change.body planned writes
   * @param {boolean} [change.possible] false: there is nothing to confirm
   * @param {boolean} [change.asksWhy]
   * @param {(reason: string) => Promise<ActionsAnswer>} change.perform
   */
  open({ title, verb, danger = false, body, possible = true, asksWhy = false, perform }) {
    this.heading.textContent = title;
    const reason = element("input", { attributes: { id: "action-why", type: "text", maxlength: 200 } });
    const asked = element("div", { class: "field" },
      element("label", { text: "Note (optional)", attributes: { for: "action-why" } }), reason);
    this.body.replaceChildren(...body, ...(asksWhy ? [asked] : []));
    const cancel = this.#button(possible ? "Cancel" : "Close", "plain", () => this.dialog.close());
    const confirm = this.#button(verb, danger ? "danger" : "primary", () =>
      this.#perform(() => perform(reason.value.trim())));
    this.buttons.replaceChildren(cancel, ...(possible ? [confirm] : []));
    this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.#panel = this.#opener?.closest(".panel") ?? null;
    this.dialog.showModal();
    cancel.focus();
  }

  /** Close the dialog unless a change is in progress. */
  dismiss() {
    if (!this.#busy) this.dialog.close();
  }

  /** @param {() => Promise<ActionsAnswer>} perform */
  async #perform(perform) {
    if (this.#busy) return;
    this.#busy = true;
    this.body.replaceChildren(element("p", { text: "Working…", attributes: { role: "status" } }));
    this.buttons.replaceChildren();
    try {
      const { actions } = await perform();
      this.heading.textContent = "Result";
      this.body.replaceChildren(...outcomeNodes(actions));
    } catch (problem) {
      const { message, hint } = explained(problem);
      this.heading.textContent = "Failed";
      this.body.replaceChildren(element("div", { class: "problem", attributes: { role: "alert" } },
        element("p", { text: message }), element("p", { class: "hint", text: hint })));
    } finally {
      this.#busy = false;
    }
    const close = this.#button("Close", "primary", () => this.dialog.close());
    close.setAttribute("aria-describedby", OUTCOME_ID);
    this.buttons.replaceChildren(close);
    close.focus({ preventScroll: true });
    this.dialog.scrollTop = 0;
  }

  /**
   * Return the focus. The control that opened the dialog may have been rebuilt or removed meanwhile: the focus then
   * goes to the head of its panel, or to the sign-in form when the session has ended.
   */
  #handBackFocus() {
    const control = this.#opener?.dataset.control;
    const successor = control && document.querySelector(`[data-control="${CSS.escape(control)}"]`);
    const head = this.#panel?.querySelector("summary, [tabindex='-1']");
    const places = [this.#opener, successor, head, byId("results-heading"), byId("management-key")];
    places.filter((place) => place instanceof HTMLElement).find(canHaveFocus)?.focus();
  }

  /**
   * @param {string} text
   * @param {string} kind
   * @param {() => void} act
   */
  #button(text, kind, act) {
    return element("button", { class: kind, text, attributes: { type: "button" }, on: { click: act } });
  }
}

/** @param {HTMLElement} place */
function canHaveFocus(place) {
  return place.checkVisibility() && !place.matches(":disabled");
}
