import { byId } from "../dom.js";

/** Where the focus was before a dialog opened, and where it goes when that is gone. */
export class FocusReturn {
  /** @type {HTMLElement | null} */ #opener = null;
  /** @type {HTMLElement | null} */ #panel = null;

  /** Remember where the focus is. */
  remember() {
    this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.#panel = this.#opener?.closest(".panel") ?? null;
  }

  /**
   * Return the focus. The control that opened the dialog may have been rebuilt or removed meanwhile: the focus then
   * goes to the head of its panel, or to the sign-in form when the session has ended.
   */
  handBack() {
    const control = this.#opener?.dataset.control;
    const successor = control && document.querySelector(`[data-control="${CSS.escape(control)}"]`);
    const head = this.#panel?.querySelector("summary, [tabindex='-1']")
      ?? document.getElementById(this.#panel?.getAttribute("aria-labelledby") ?? "");
    const places = [this.#opener, successor, head, byId("page"), byId("management-key")];
    places.filter((place) => place instanceof HTMLElement).find(canHaveFocus)?.focus();
  }
}

/** @param {HTMLElement} place */
function canHaveFocus(place) {
  return place.checkVisibility() && !place.matches(":disabled");
}
