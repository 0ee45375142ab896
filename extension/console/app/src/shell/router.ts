import { batch, signal, type ReadonlySignal } from "@preact/signals";
import { pageOf, pageRow, type PageName } from "./pages.js";
import { ScrollMemory } from "./scroll_memory.js";

/** Values of a query; an empty one, or an empty list, leaves it. */
export type QueryValues = Record<string, string | number | boolean | readonly string[]>;

/**
 * Page and query of the address, as signals. Follows links between the pages built here, back and forward without
 * another load; a page of the former console is loaded by the browser.
 */
export class Router {
  readonly #page = signal<PageName | null>(null);
  readonly #query = signal(new URLSearchParams());
  readonly #scrolls = new ScrollMemory();

  constructor() {
    this.#read();
    window.addEventListener("popstate", () => {
      this.#read();
      this.#scrolls.restore();
    });
    document.addEventListener("click", (event) => this.#follow(event));
  }

  get page(): ReadonlySignal<PageName | null> {
    return this.#page;
  }

  /** Query of the address; whoever reads its value is drawn anew when it changes. */
  get query(): ReadonlySignal<URLSearchParams> {
    return this.#query;
  }

  /** Return a value of the query; empty when it is absent. */
  get(name: string): string {
    return this.#query.value.get(name) ?? "";
  }

  /** Return the values of a list that `set` has joined. */
  list(name: string): string[] {
    return this.get(name).split(",").filter(Boolean);
  }

  /** Change values of the query; `push` makes a step that "back" undoes. */
  set(values: QueryValues, { push = false } = {}): void {
    const address = this.addressWith(values);
    if (address === window.location.pathname + window.location.search) return;
    if (push) window.history.pushState(null, "", address);
    else window.history.replaceState(window.history.state, "", address);
    this.#read();
  }

  /** Return the address of this page with changed values: for a link to a drawer, for example. */
  addressWith(values: QueryValues): string {
    const query = new URLSearchParams(this.#query.value);
    for (const [name, value] of Object.entries(values)) {
      const written = Array.isArray(value) ? value.join(",") : String(value);
      if (written) query.set(name, written);
      else query.delete(name);
    }
    return window.location.pathname + (query.size ? `?${query}` : "");
  }

  /** Go to an address relative to this one, such as `requests?model=x`. */
  go(relative: string): void {
    const address = new URL(relative, window.location.href);
    if (!isBuilt(address)) {
      window.location.assign(address);
      return;
    }
    const isOtherPage = pageOf(address) !== this.#page.peek();
    window.history.pushState(null, "", address.pathname + address.search);
    if (isOtherPage) this.#scrolls.begin();
    this.#read();
  }

  #read(): void {
    batch(() => {
      this.#page.value = pageOf(window.location);
      const query = new URLSearchParams(window.location.search);
      if (String(query) !== String(this.#query.peek())) this.#query.value = query;
    });
  }

  /** Follow a plain click on a link to a page; all other clicks are the browser's. */
  #follow(event: MouseEvent): void {
    const link = plainlyClicked(event);
    if (!link || link.target || link.hasAttribute("download")) return;
    const address = new URL(link.href);
    const folder = new URL(".", window.location.href).href;
    if (address.hash || new URL(".", address).href !== folder || !isBuilt(address)) return;
    event.preventDefault();
    if (address.href !== window.location.href) this.go(address.href);
  }
}

function isBuilt(address: URL): boolean {
  const name = pageOf(address);
  return name !== null && pageRow(name).load !== undefined;
}

/** Return the link that a click without modifiers is on. */
function plainlyClicked(event: MouseEvent): HTMLAnchorElement | null {
  const { defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey, target } = event;
  if (defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey) return null;
  return target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
}
