import { element } from "../dom.js";

/**
 * Build the heading of a simple page and its panel, with a body for a drawer.
 *
 * @param {string} id
 * @param {string} title
 */
export function pagePanel(id, title) {
  return element("div", { class: "page", attributes: { id } },
    element("h1", { text: title, attributes: { id: `${id}-heading`, tabindex: -1 } }),
    element("section", { class: "panel", attributes: { "aria-labelledby": `${id}-heading` } },
      element("div", { class: "drawer" })));
}
