import { element } from "../dom.js";

/** A part of the page that is read when it is opened, and again when what it shows has changed while it is open. */
export class Drawer {
  #latest = 0;

  /**
   * @param {HTMLElement} panel holds the details element
   * @param {() => Promise<HTMLElement[]>} read
   */
  constructor(panel, read) {
    this.panel = panel;
    this.read = read;
    this.details = /** @type {HTMLDetailsElement} */ (panel.querySelector("details"));
    this.body = /** @type {HTMLElement} */ (panel.querySelector(".drawer"));
    this.details.addEventListener("toggle", () => this.refresh());
  }

  /** Reads anew if the drawer is open; of several reads under way only the newest counts. */
  async refresh() {
    if (!this.details.open) return;
    const mine = ++this.#latest;
    let nodes;
    try {
      nodes = await this.read();
    } catch (problem) {
      const { message, hint } = /** @type {import("../connection/problem.js").ApiProblem} */ (problem);
      nodes = [element("div", { class: "problem", attributes: { role: "alert" } },
        element("p", { text: message }), element("p", { class: "hint", text: hint ?? "" }))];
    }
    if (mine === this.#latest) this.body.replaceChildren(...nodes);
  }
}
