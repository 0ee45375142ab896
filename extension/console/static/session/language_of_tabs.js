/** What a page loses when it is shown anew; filters and the search are in its address. */
const KEPT_NOWHERE = ["form", "dialog", "tbody"].join();
const QUESTION = "dialog[open]:not(.sign-in-over)";

/**
 * Language that another tab chose.
 *
 * Used at once, it shows the page anew, which would take away a text that is being typed, or a question that waits for
 * its answer: then it is used from the next page on.
 */
export class LanguageOfTabs {
  /** @type {Map<HTMLInputElement | HTMLSelectElement, string | boolean>} fields with their values before */
  #before = new Map();
  /** @type {string | null | undefined} */ #waiting;

  /**
   * @param {HTMLElement} place of the pages
   * @param {(tag: string | null) => unknown} change to a language; null follows the browser
   */
  constructor(place, change) {
    this.change = change;
    place.addEventListener("focusin", ({ target }) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isField && target.closest(KEPT_NOWHERE) && !this.#before.has(target)) {
        this.#before.set(target, valueOf(target));
      }
    });
  }

  /** @param {string | null} tag */
  follow(tag) {
    if (this.#isInUse) this.#waiting = tag;
    else this.change(tag);
  }

  /** Use the language that waits for another page. */
  pageShown() {
    this.#before.clear();
    const tag = this.#waiting;
    this.#waiting = undefined;
    if (tag !== undefined) this.change(tag);
  }

  get #isInUse() {
    return document.querySelector(QUESTION) !== null
      || [...this.#before].some(([field, before]) => field.isConnected && valueOf(field) !== before);
  }
}

/** @param {HTMLInputElement | HTMLSelectElement} field */
function valueOf(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value;
}
