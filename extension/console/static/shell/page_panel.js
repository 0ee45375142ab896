import { element } from "../dom.js";

/**
 * Build the one panel of a simple page: its heading and a body for a drawer.
 *
 * @param {string} id
 * @param {string} title
 */
export function pagePanel(id, title) {
  return element("section", { class: "panel", attributes: { id, "aria-labelledby": `${id}-heading` } },
    element("h1", { text: title, attributes: { id: `${id}-heading`, tabindex: -1 } }),
    element("div", { class: "drawer" }));
}
