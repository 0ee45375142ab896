/**
 * Frame of a picture: its title, legend, drawing, reading and table. The arrow keys move through the values; the
 * reading says the one in view, and Enter follows its link. The drawing is made anew for each width.
 */

import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { movedTo, spotAt } from "./reading.js";
import { svgElement, svgOf } from "./svg.js";

/** @import { Drawing, Fill } from "./drawing.js" */

const FIRST_WIDTH = 640;

/**
 * @typedef {object} Content
 * @property {(width: number) => Drawing} draw
 * @property {{name: string, fill: Fill, href?: string, count?: string}[]} [legend]
 * @property {{head: string[], rows: string[][]}} table
 * @property {string} [note] below the drawing
 */

/** One picture; `node` is put into the page, `show` gives it its content. */
export class Picture {
  /** @type {Drawing | null} */ #drawing = null;
  /** @type {Content | null} */ #content = null;
  #index = -1;
  #width = 0;

  /**
   * @param {string} title
   * @param {2 | 3} [level] of the heading
   */
  constructor(title, level = 2) {
    this.title = title;
    this.reading = element("p", { class: "reading", attributes: { "aria-live": "polite" } });
    this.legend = element("ul", { class: "picture-legend" });
    this.plot = element("div", {
      class: "plot",
      attributes: { tabindex: 0, role: "group", "aria-label": text("picture.plot", { title }) },
      on: {
        keydown: (event) => this.#pressed(/** @type {KeyboardEvent} */ (event)),
        focus: () => this.#read(Math.max(this.#index, 0)),
        pointermove: (event) => this.#pointed(/** @type {PointerEvent} */ (event)),
        click: () => this.#follow(),
      },
    });
    this.note = element("p", { class: "hint", attributes: { hidden: true } });
    this.table = element("div", { class: "picture-table" });
    this.details = element("details", { on: { toggle: () => this.#fillTable() } },
      element("summary", { text: text("picture.table") }), this.table);
    this.node = element("figure", { class: "picture" },
      element("figcaption", {}, element(level === 2 ? "h2" : "h3", { text: title })),
      this.legend, this.plot, this.reading, this.note, this.details);
    new ResizeObserver(() => this.#draw()).observe(this.plot);
  }

  /** @param {Content} content */
  show(content) {
    this.#content = content;
    this.#width = 0;
    this.#index = -1;
    this.reading.textContent = "";
    this.legend.replaceChildren(...(content.legend ?? []).map(legendEntry));
    this.legend.hidden = !content.legend?.length;
    this.note.textContent = content.note ?? "";
    this.note.hidden = !content.note;
    this.#draw();
    this.#fillTable();
  }

  #draw() {
    const width = Math.round(this.plot.clientWidth) || FIRST_WIDTH;
    if (!this.#content || width === this.#width) return;
    this.#width = width;
    this.#drawing = this.#content.draw(width);
    this.plot.replaceChildren(svgOf(this.#drawing));
    if (this.#index >= 0) this.#mark();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (!this.#drawing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter") {
      this.#follow();
      return;
    }
    const next = movedTo(event.key, this.#index, this.#drawing.spots.length, this.#drawing.stride);
    if (next === null) return;
    event.preventDefault();
    this.#read(next);
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const picture = this.plot.firstElementChild?.getBoundingClientRect();
    if (!this.#drawing || !picture) return;
    const found = spotAt(this.#drawing.spots, event.clientX - picture.left, event.clientY - picture.top);
    if (found !== this.#index && found >= 0) this.#read(found);
  }

  /** @param {number} index */
  #read(index) {
    const spot = this.#drawing?.spots[index];
    if (!spot) return;
    this.#index = index;
    this.reading.replaceChildren(
      element("bdi", { text: spot.label }), ": ", element("bdi", { text: spot.text }));
    this.plot.classList.toggle("followable", Boolean(spot.href));
    this.#mark();
  }

  #mark() {
    const spot = this.#drawing?.spots[this.#index];
    const picture = this.plot.firstElementChild;
    picture?.querySelector(".cursor")?.remove();
    if (!spot || !picture) return;
    picture.append(svgElement("rect", {
      class: "cursor", x: spot.x, y: spot.y, width: Math.max(spot.width, 1), height: Math.max(spot.height, 1),
    }));
  }

  #follow() {
    const href = this.#drawing?.spots[this.#index]?.href;
    if (!href) return;
    // A click on a link is what the shell follows without another load.
    const link = element("a", { attributes: { href } });
    this.node.append(link);
    link.click();
    link.remove();
  }

  #fillTable() {
    if (!this.details.open || !this.#content) return;
    const { head, rows } = this.#content.table;
    this.table.replaceChildren(tableNode(this.title, head, rows));
  }
}

/**
 * Build a plain table with the first column as headings of its rows.
 *
 * @param {string} caption
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function tableNode(caption, head, rows) {
  return element("div", {
    class: "scroll", attributes: { tabindex: 0, role: "region", "aria-label": `${caption}: ${text("picture.table")}` },
  },
    element("table", { class: "plain-table" },
      element("caption", { class: "visually-hidden", text: caption }),
      element("thead", {}, element("tr", {}, ...head.map((name) => (
        element("th", { text: name, attributes: { scope: "col" } }))))),
      element("tbody", {}, ...rows.map(([name, ...cells]) => element("tr", {},
        element("th", { attributes: { scope: "row" } }, element("bdi", { class: "clamped", text: name })),
        ...cells.map((cell) => element("td", {}, element("bdi", { text: cell }))))))));
}

/** @param {NonNullable<Content["legend"]>[number]} entry */
function legendEntry({ name, fill, href, count }) {
  /** @type {Drawing} */
  const swatch = {
    width: 14,
    height: 14,
    marks: [{ tag: "rect", attributes: { class: "area", x: 0, y: 0, width: 14, height: 14 }, fill }],
    spots: [],
    stride: 1,
  };
  const said = [element("bdi", { class: "clamped", text: name }), ...(count ? [element("b", { text: count })] : [])];
  const picture = element("span", { class: "swatch" }, svgOf(swatch));
  return element("li", {}, picture, href ? element("a", { attributes: { href } }, ...said) : element("span", {},
    ...said));
}
