import { byId, element } from "../dom.js";
import { formatCount } from "../formatting.js";

/** Controls for the pages of a long table. */
export class Pager {
  /** @param {(page: number) => void} onPage */
  constructor(onPage) {
    this.node = byId("pager");
    this.page = 0;
    this.text = element("p", { attributes: { role: "status" } });
    this.pages = 1;
    /** @type {[label: string, target: () => number][]} */
    const steps = [["First", () => 0], ["Previous", () => this.page - 1], ["Next", () => this.page + 1],
      ["Last", () => this.pages - 1]];
    this.steps = steps.map(([label, target]) => element("button", {
      class: "plain small", text: label, attributes: { type: "button" }, on: { click: () => onPage(target()) },
    }));
    this.node.replaceChildren(...this.steps.slice(0, 2), this.text, ...this.steps.slice(2));
  }

  /**
   * @param {{page: number, pages: number, first: number, rows: unknown[]}} shown
   * @param {number} total
   */
  render({ page, pages, first, rows }, total) {
    this.page = page;
    this.pages = pages;
    const range = pages > 1
      ? `${formatCount(first + 1)}–${formatCount(first + rows.length)} of ${formatCount(total)}` : "";
    if (this.text.textContent !== range) this.text.textContent = range;
    this.node.hidden = pages < 2;
    this.steps.forEach((button, at) => { button.disabled = at < 2 ? page === 0 : page === pages - 1; });
  }
}
