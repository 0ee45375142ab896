/**
 * Scroll positions of the steps of the history. Theory of operation: a page fills itself after it is shown, so the
 * browser's own restoration finds an empty document and ends at the top. Each step of the history gets a number in its
 * state; its position is remembered as it scrolls, and tried again while the page grows.
 */

const PATIENCE_MS = 3_000;
/** What a person does to scroll: it outranks a position that is still to be reached. */
const BY_PERSON = ["wheel", "touchstart", "keydown", "pointerdown"];

/** Remembers where each step of the history was scrolled to. */
export class ScrollMemory {
  #positions = new Map<number, number>();
  /** Ends a restoration. */
  #end: (() => void) | null = null;
  #newest = Date.now();

  constructor() {
    window.history.scrollRestoration = "manual";
    // Another load of the same step is the browser's to restore.
    window.addEventListener("pagehide", () => {
      window.history.scrollRestoration = "auto";
    });
    const remember = () => {
      if (!this.#end) this.#positions.set(this.#step(), window.scrollY);
    };
    window.addEventListener("scroll", remember, { passive: true });
  }

  /** Begin a new step of the history at its top. */
  begin(): void {
    this.#end?.();
    window.scrollTo(0, 0);
  }

  /** Scroll to where the step in view was left, as soon as the page is long enough. */
  restore(): void {
    this.#end?.();
    const position = this.#positions.get(this.#step()) ?? 0;
    const over = new AbortController();
    const { signal } = over;
    const reach = () => {
      window.scrollTo(0, position);
      if (Math.abs(window.scrollY - position) >= 1) return;
      setTimeout(() => {
        if (!signal.aborted) this.#end?.();
      });
    };
    const growth = new ResizeObserver(reach);
    const timer = setTimeout(() => this.#end?.(), PATIENCE_MS);
    this.#end = () => {
      this.#end = null;
      over.abort();
      growth.disconnect();
      clearTimeout(timer);
    };
    for (const name of BY_PERSON) window.addEventListener(name, () => this.#end?.(), { signal, passive: true });
    growth.observe(document.body);
    reach();
  }

  /** Return the number of the step in view; a new step gets one. */
  #step(): number {
    const number: unknown = window.history.state?.step;
    if (typeof number === "number") return number;
    this.#newest += 1;
    window.history.replaceState({ step: this.#newest }, "");
    return this.#newest;
  }
}
