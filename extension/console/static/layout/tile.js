import { element } from "../dom.js";

/** @import { Tone } from "../table/vocabulary.js" */

/**
 * Build one section of a page with pictures.
 *
 * @param {string} title
 * @param {{wide?: boolean}} how
 * @param {...(Node | string)} children
 */
export function tile(title, { wide = false }, ...children) {
  return element("section", { class: wide ? "panel wide" : "panel", attributes: { "aria-label": title } },
    element("h2", { text: title }), ...children);
}

/**
 * Build a list of facts: a name and a large number each, with a link where there is one.
 *
 * @param {{name: string, value: string | Node, href?: string, note?: string | Node}[]} facts
 */
export function factList(facts) {
  return element("dl", { class: "figures" }, ...facts.map(({ name, value, href, note }) => element("div", {},
    element("dt", { text: name }),
    element("dd", {},
      href && typeof value === "string" ? element("a", { text: value, attributes: { href } }) : value,
      ...(note ? [" ", element("small", {}, note)] : [])))));
}

/**
 * One line of a list of findings.
 *
 * @typedef {object} Finding
 * @property {Tone} tone
 * @property {string} text
 * @property {string} [name] of something from outside, shown before the text
 * @property {string} [href]
 * @property {{text: string, href: string}} [link] a second one
 */

/**
 * Build a list of findings, or one line that says that there are none.
 *
 * @param {Finding[]} findings
 * @param {string} none
 */
export function findingList(findings, none) {
  /** @type {Finding[]} */
  const lines = findings.length ? findings : [{ tone: "good", text: none }];
  return element("ul", { class: "todo" }, ...lines.map(({ tone, text, name, href, link }) => {
    const named = name ? element("bdi", { class: "clamped", text: name, attributes: { title: name } }) : text;
    return element("li", { data: { tone } },
      href ? element("a", { attributes: { href } }, named) : element("span", {}, named),
      ...(name ? [element("span", { class: "quiet", text })] : []),
      ...(link ? [element("a", { text: link.text, attributes: { href: link.href } })] : []));
  }));
}

/**
 * Build a labelled choice.
 *
 * @param {string} id
 * @param {string} label
 * @param {[string, string][]} options value and text
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function choice(id, label, options, chosen, onChange) {
  const select = element("select", {
    attributes: { id }, on: { change: (event) => onChange(/** @type {HTMLSelectElement} */ (event.target).value) },
  }, ...options.map(([value, said]) => element("option", { text: said, attributes: { value } })));
  select.value = chosen;
  return element("div", { class: "field" }, element("label", { text: label, attributes: { for: id } }), select);
}

/**
 * Build the address of a page with a query; empty values are left out.
 *
 * @param {string} page
 * @param {Record<string, string | number | boolean>} query
 */
export function pageAddress(page, query) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== "") parts.set(name, String(value));
  return parts.size ? `${page}?${parts}` : page;
}
