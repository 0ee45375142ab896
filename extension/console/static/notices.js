import { explained, isOfStore, isSignedOut, LEFT, STORE, UNREACHABLE } from "./connection/problem.js";
import { byId, element } from "./dom.js";
import { text as phrase } from "./language/catalogue.js";

/**
 * Notices above the page, each until it is dismissed or replaced by a newer one of the same topic.
 */
export class Notices {
  #presses = 0;
  /**
   * Words of the notices, by topic, and the presses before them. Those of a notice that was dismissed stay until its
   * topic is cleared.
   *
   * @type {Map<string, {words: string, presses: number}>}
   */
  #said = new Map();

  /** @param {HTMLElement} region */
  constructor(region) {
    this.region = region;
    document.addEventListener("click", () => { this.#presses += 1; }, true);
  }

  /**
   * @param {string} topic
   * @param {{level?: "info" | "warning" | "error", text: string, hint?: string, details?: string[],
   *   action?: {label: string, act: () => void}, isToast?: boolean}} notice `action`: a button, which also clears the
   *   notice; `isToast`: over the lower edge of the window, in sight wherever the page is scrolled to
   */
  show(topic, { level = "info", text, hint = "", details = [], action, isToast = false }) {
    const older = this.#find(topic);
    const words = [level, text, hint, ...details].join("\n");
    if (!action && (this.#isRepeated(topic, words, older) || (!older && this.#isSaid(topic, words)))) return;
    const node = element("div",
      {
        class: isToast ? "notice toast" : "notice", data: { topic, level },
        attributes: { role: level === "error" ? "alert" : "status" },
      },
      bodyNode({ text, hint, details, isToast }), ...(action ? [this.#button(topic, action)] : []),
      element("button", {
        class: "plain small", text: phrase("problem.dismiss"), attributes: { type: "button" },
        on: { click: () => this.#dismiss(topic) },
      }));
    this.#said.set(topic, { words, presses: this.#presses });
    if (older) older.replaceWith(node);
    else this.region.append(node);
  }

  /**
   * @param {string} topic
   * @param {unknown} problem an ApiProblem, or any other error
   */
  showProblem(topic, problem) {
    const { message, hint, code } = explained(problem);
    if (code === LEFT) return;
    const shared = isOfStore(problem) ? STORE : topic;
    this.show(code === UNREACHABLE ? code : shared, { level: "error", text: message, hint });
  }

  /**
   * Run a request and show a notice when it fails. The end of the session has its own message.
   *
   * @param {string} topic
   * @param {() => Promise<unknown>} act
   */
  async attempt(topic, act) {
    try {
      await act();
      this.clear(topic);
    } catch (problem) {
      if (!isSignedOut(problem)) this.showProblem(topic, problem);
    }
  }

  /** Clear the notice about an unreachable service. */
  serviceAnswered() {
    this.clear(UNREACHABLE);
  }

  /** Clear the notice about a database that cannot be used. */
  storeAnswered() {
    this.clear(STORE);
  }

  /** @param {string} topic */
  clear(topic) {
    this.#said.delete(topic);
    this.#find(topic)?.remove();
  }

  /** Clear all notices, also those that were dismissed. */
  clearAll() {
    this.#said.clear();
    this.region.replaceChildren();
  }

  /**
   * Return whether a notice says once more what stands there, or what was dismissed, without a press meanwhile that it
   * could be the answer to. Showing it again would read it out again, move the page, and take the keyboard out of it.
   *
   * @param {string} topic
   * @param {string} words
   * @param {Element | undefined} older
   */
  #isRepeated(topic, words, older) {
    const said = this.#said.get(topic);
    if (said?.words !== words) return false;
    return said.presses === this.#presses || Boolean(older?.contains(document.activeElement));
  }

  /**
   * Return whether a notice of another topic says the same: one trouble fails several reads.
   *
   * @param {string} topic
   * @param {string} words
   */
  #isSaid(topic, words) {
    return [...this.#said].some(([other, said]) => other !== topic && said.words === words && this.#find(other));
  }

  /** @param {string} topic */
  #dismiss(topic) {
    const said = this.#said.get(topic);
    this.clear(topic);
    if (said) this.#said.set(topic, { ...said, presses: this.#presses });
  }

  /**
   * @param {string} topic
   * @param {{label: string, act: () => void}} action
   */
  #button(topic, { label, act }) {
    return element("button", {
      class: "plain small", text: label, attributes: { type: "button" },
      on: {
        click: () => {
          this.clear(topic);
          act();
          // What it leads to may take the keyboard; the notice that had it is gone.
          if (document.activeElement === document.body) byId("page").focus({ preventScroll: true });
        },
      },
    });
  }

  /** @param {string} topic */
  #find(topic) {
    return [...this.region.children].find((node) => node instanceof HTMLElement && node.dataset.topic === topic);
  }
}

/**
 * Build what a notice says. A text that is clamped over the page is whole where a pointer rests.
 *
 * @param {{text: string, hint: string, details: string[], isToast: boolean}} notice
 */
function bodyNode({ text, hint, details, isToast }) {
  const body = element("div", { class: "notice-body", attributes: { title: isToast ? text : undefined } },
    element("p", { text }));
  if (hint) body.append(element("p", { class: "hint", text: hint }));
  if (details.length) {
    body.append(element("details", {},
      element("summary", { text: phrase("problem.details") }),
      element("ul", {}, ...details.map((line) => element("li", { text: line })))));
  }
  return body;
}
