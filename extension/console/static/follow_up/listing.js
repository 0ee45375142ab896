import { element } from "../dom.js";
import { text as phrase } from "../language/catalogue.js";
import { actsOnce } from "../layout/once.js";

const ROWS_SHOWN = 200;

/**
 * Plain table. A long one is cut after its first rows, with a count of the rest.
 *
 * @param {string[]} columns their heads; the one of buttons is empty
 * @param {(string | Node)[][]} rows
 */
export function listing(columns, rows) {
  const table = element("table", { class: "listing" },
    element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { attributes: { scope: "col" } },
      text || element("span", { class: "visually-hidden", text: phrase("columns.change") }))))),
    element("tbody", {}, ...rows.slice(0, ROWS_SHOWN).map((cells) =>
      element("tr", {}, ...cells.map((cell, at) => element("td", { data: { label: columns[at] } }, cell))))));
  if (rows.length <= ROWS_SHOWN) return table;
  const more = phrase("count.more_rows", { n: rows.length - ROWS_SHOWN });
  return element("div", {}, table, element("p", { class: "quiet", text: more }));
}

/**
 * @param {string} text
 * @param {() => unknown} act once at a time, where it returns a promise
 * @param {string} [label] accessible name
 */
export function smallButton(text, act, label) {
  return actsOnce(element("button", {
    class: "plain small", text, data: { control: label ?? text }, attributes: { type: "button", "aria-label": label },
  }), act);
}

/**
 * @param {string} title
 * @param {...Node} children
 */
export function titled(title, ...children) {
  return element("section", {}, element("h3", { text: title }), ...children);
}

/**
 * Text of ours in a cell, whose words are not broken.
 *
 * @param {string} text
 */
export function ownWords(text) {
  return element("span", { class: "words", text });
}

/** @param {string} text */
export function paragraph(text) {
  return element("p", { text });
}
