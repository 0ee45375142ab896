import { byId } from "../dom.js";

/** Where the focus was before a dialog opened, and where it goes when that is gone. */
export class FocusReturn {
  /** @type {HTMLElement | null} */ #opener = null;
  /** @type {HTMLElement | null} */ #panel = null;
  #row = "";

  /**
   * Name the accounts that the next dialog is about: after a notice that is gone the focus goes to the row of a single
   * one.
   *
   * @param {number[]} accounts
   */
  about(accounts) {
    this.#row = accounts.length === 1 ? `[data-control="switch-${accounts[0]}"]` : "#results-heading";
  }

  /** Remember where the focus is. */
  remember() {
    const { activeElement: active } = document;
    this.#opener = active instanceof HTMLElement && active !== document.body ? active : null;
    this.#panel = this.#opener?.closest(".panel") ?? null;
  }

  /**
   * Return the focus. The control that opened the dialog may have been rebuilt or removed meanwhile: the focus then
   * goes to the head of its panel, or to the sign-in form when the session has ended. A dialog says that it is closed
   * some time after it is: a key pressed meanwhile may have moved the focus to another row, where it stays.
   */
  handBack() {
    const row = this.#row && document.querySelector(this.#row);
    this.#row = "";
    const { activeElement: active } = document;
    if (active && active !== document.body && active !== this.#opener && !active.closest("dialog")) return;
    const control = this.#opener?.dataset.control;
    const successor = control && document.querySelector(`[data-control="${CSS.escape(control)}"]`);
    const head = this.#panel?.querySelector("summary, [tabindex='-1']")
      ?? document.getElementById(this.#panel?.getAttribute("aria-labelledby") ?? "");
    const places = [this.#opener, successor, head, row, byId("page"), byId("management-key")];
    places.filter((place) => place instanceof HTMLElement).find(canHaveFocus)?.focus();
  }
}

/** @param {HTMLElement} place */
function canHaveFocus(place) {
  return place.checkVisibility() && !place.matches(":disabled");
}
