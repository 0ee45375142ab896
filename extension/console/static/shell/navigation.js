import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { PAGES } from "./page_table.js";

/** @import { PageName } from "./page_table.js" */

/** Links to the pages, the one in view marked. */
export class Navigation {
  /** @type {Map<PageName, HTMLElement>} */ #links = new Map();

  /** @param {HTMLElement} nav */
  constructor(nav) {
    this.nav = nav;
    this.write();
  }

  /** Write the links in the language in use. */
  write() {
    this.nav.setAttribute("aria-label", text("shell.pages"));
    this.#links = new Map(PAGES.map((name) =>
      [name, element("a", { text: text(`pages.${name}`), attributes: { href: name } })]));
    this.nav.replaceChildren(element("ul", {}, ...[...this.#links.values()].map((link) => element("li", {}, link))));
  }

  /** @param {PageName | null} shown */
  mark(shown) {
    for (const [name, link] of this.#links) {
      if (name === shown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const shownLink = shown && this.#links.get(shown);
    if (shownLink) shownLink.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
