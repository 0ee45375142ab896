import { byId, element } from "../dom.js";
import { text } from "../language/catalogue.js";

/** Time after which a start is late enough to be spoken of. */
const LATE_MS = 800;

/** What stands in place of the pages while the service, or its gateway, lets the first answers wait. */
export class OpeningPage {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {() => void} onShown called before it takes the keyboard from what it replaces */
  constructor(onShown) {
    this.onShown = onShown;
    this.node = element("div", { class: "page" });
  }

  /** Show it if the start is late. */
  soon() {
    this.#timer ??= setTimeout(() => this.show(), LATE_MS);
  }

  /** Show it where no page was opened yet. */
  show() {
    const place = byId("page");
    const isThere = this.node.isConnected && !place.hidden;
    if (isThere || (place.childElementCount && !this.node.isConnected)) return;
    this.write();
    place.replaceChildren(this.node);
    for (const id of ["page", "sign-out"]) byId(id).hidden = false;
    this.onShown();
    if (document.activeElement === document.body) place.focus({ preventScroll: true });
  }

  /** Write the texts in the language in use. */
  write() {
    this.node.replaceChildren(element("section", { class: "panel" },
      element("h1", { text: text("shell.opening") }), element("p", { text: text("shell.opening_hint") })));
  }

  /** Leave its place to the pages, or to the form of the sign-in. */
  end() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.node.remove();
  }
}
