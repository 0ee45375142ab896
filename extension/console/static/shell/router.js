import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { pageOf } from "./page_table.js";
import { QueryState } from "./query_state.js";
import { ScrollMemory } from "./scroll_memory.js";

/**
 * @import { PageName } from "./page_table.js"
 * @typedef {(root: HTMLElement, context: import("./context.js").PageContext) =>
 *     (() => void) | Promise<() => void>} Mount
 */

/** Time after which a page that is not there yet says what it waits for. */
const LATE_MS = 1_000;

/**
 * Shows the page that the address names, and follows links between pages, back and forward without another load.
 *
 * A page is loaded when it is first shown. Each showing has a root and a query state of its own, so that nothing of a
 * page that was left reaches the next one.
 */
export class Router {
  /** @type {PageName | null} */ #shown = null;
  /** @type {(() => void) | null} */ #unmount = null;
  /** Ends the reads of the page in view. */ #left = new AbortController();
  #query = new QueryState();
  #scrolls = new ScrollMemory();
  #showing = 0;
  #open = false;
  /** Whether the page of the address could not be loaded. */ #failed = false;

  /**
   * @param {HTMLElement} place
   * @param {(query: QueryState, left: AbortSignal) => import("./context.js").PageContext} contextOf
   * @param {{onShown: (name: PageName | null) => void, onProblem: (problem: unknown) => void,
   *     onAddress: (name: PageName, query: QueryState) => void, onLoadFailed: () => void}} listener `onAddress`: before
   *     a page reads its address
   */
  constructor(place, contextOf, { onShown, onAddress, onProblem, onLoadFailed }) {
    this.place = place;
    this.contextOf = contextOf;
    this.onShown = onShown;
    this.onAddress = onAddress;
    this.onProblem = onProblem;
    this.onLoadFailed = onLoadFailed;
    window.addEventListener("popstate", () => this.#follow());
    window.addEventListener("online", () => this.retry());
    document.addEventListener("click", (event) => this.#intercept(event));
  }

  /** Keep the page as it is, and follow nothing until `resume`. */
  pause() {
    this.#open = false;
  }

  /**
   * Go on with the page that was kept; show the page of the address where that is another, or was never complete.
   *
   * @returns {Promise<boolean>} whether the page was kept
   */
  async resume() {
    this.#open = true;
    const isKept = this.#unmount !== null && pageOf(new URL(window.location.href)) === this.#shown;
    if (!isKept) await this.#show();
    return isKept;
  }

  /** Load the page of the address again, if it could not be loaded. */
  async retry() {
    if (this.#open && this.#failed) await this.#show();
  }

  /** Show the page anew: one that is kept meanwhile, when it goes on. */
  async showAnew() {
    if (this.#open) await this.#show();
    else this.#leave();
  }

  /**
   * Go to a page.
   *
   * @param {string} name
   * @param {Record<string, string | number>} [query]
   */
  async navigate(name, query = {}) {
    const address = new URL(name, window.location.href);
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, String(value));
    await this.#go(address);
  }

  /** @param {URL} address */
  async #go(address) {
    if (!pageOf(address)) {
      window.location.assign(address);
      return;
    }
    window.history.pushState(null, "", address.pathname + address.search);
    this.#scrolls.begin();
    await this.#show();
    // A page takes its time to load: a control that was used meanwhile keeps the keyboard. Focus alone would scroll the
    // notices above the page out of sight.
    if (!this.place.contains(document.activeElement)) this.place.focus({ preventScroll: true });
  }

  async #follow() {
    if (!this.#open) return;
    this.#scrolls.hold();
    if (pageOf(new URL(window.location.href)) === this.#shown) {
      if (this.#shown) this.onAddress(this.#shown, this.#query);
      this.#query.dispatchEvent(new Event("change"));
    } else {
      await this.#show();
    }
    this.#scrolls.restore();
  }

  async #show() {
    this.#leave();
    const showing = ++this.#showing;
    const name = pageOf(new URL(window.location.href));
    this.#shown = name;
    this.#query = new QueryState();
    this.onShown(name);
    const root = element("div", { class: `page page-${name ?? "unknown"}` });
    const loading = element("p", { class: "loading", text: text("shell.loading"), attributes: { role: "status" } });
    this.place.replaceChildren(root, loading);
    const late = setTimeout(() => { loading.textContent = text("shell.loading_late"); }, LATE_MS);
    if (name === null) {
      loading.remove();
      root.append(...unknownPage());
      return;
    }
    this.onAddress(name, this.#query);
    try {
      const module = await this.#load(name, root);
      if (!module || showing !== this.#showing) return;
      const unmount = await module.mount(root, this.contextOf(this.#query, this.#left.signal));
      if (showing === this.#showing) this.#unmount = unmount;
      else unmount();
    } catch (problem) {
      this.onProblem(problem);
    } finally {
      clearTimeout(late);
      loading.remove();
    }
  }

  /**
   * Load the module of a page; a failure is said in place of the page.
   *
   * @param {PageName} name
   * @param {HTMLElement} root
   * @returns {Promise<{mount: Mount} | null>}
   */
  async #load(name, root) {
    const showing = this.#showing;
    try {
      return await import(`../pages/${name}/page.js`);
    } catch {
      if (showing !== this.#showing) return null;
      this.#failed = true;
      this.onLoadFailed();
      root.replaceChildren(...failedPage(name, () => this.retry()));
      return null;
    }
  }

  #leave() {
    this.#showing += 1;
    this.#failed = false;
    this.#left.abort();
    this.#left = new AbortController();
    this.#unmount?.();
    this.#unmount = null;
  }

  /**
   * Follow a plain click on a link to a page; all other clicks are the browser's.
   *
   * @param {MouseEvent} event
   */
  #intercept(event) {
    const link = plainlyClicked(event);
    if (!link || !this.#open || link.target || link.hasAttribute("download")) return;
    const address = new URL(link.href);
    const folder = new URL(".", window.location.href);
    if (address.hash || new URL(".", address).href !== folder.href || !pageOf(address)) return;
    event.preventDefault();
    if (address.href === window.location.href) return;
    this.#go(address);
  }
}

/**
 * Return the link that a click without modifiers is on.
 *
 * @param {MouseEvent} event
 */
function plainlyClicked({ defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey, target }) {
  if (defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey) return null;
  const link = target instanceof Element ? target.closest("a[href]") : null;
  return link instanceof HTMLAnchorElement ? link : null;
}

/**
 * @param {PageName} name
 * @param {() => void} retry
 */
function failedPage(name, retry) {
  return [
    element("h1", { text: text(`pages.${name}`), attributes: { tabindex: -1 } }),
    element("div", { class: "panel" },
      element("div", { class: "problem", attributes: { role: "alert" } },
        element("p", { text: text("shell.load_failed") }),
        element("p", { class: "hint", text: text("shell.load_failed_hint") })),
      element("p", { class: "buttons" }, element("button", {
        class: "primary", text: text("shell.retry"), attributes: { type: "button" }, on: { click: retry } }))),
  ];
}

function unknownPage() {
  return [
    element("h1", { text: text("shell.not_found") }),
    element("p", {}, element("a", { text: text("shell.to_inspection"), attributes: { href: "inspection" } })),
  ];
}
