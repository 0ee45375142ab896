/**
 * Reads again what could not be read. A page is told of changes by events and asks for nothing by itself: without this,
 * one failed read would leave it empty for as long as nothing happens.
 */

const FIRST_MS = 3_000;
const LONGEST_MS = 30_000;
/** Without a failure for so long, the next one is a new one. Proxies give up on an answer after a minute. */
const CALM_MS = 120_000;

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Waits after a failed read, and twice as long after each that fails again. */
export class ReadAgain {
  #wait = FIRST_MS;
  #timer: Timer;
  #calm: Timer;

  constructor(private readonly read: () => void) {}

  /** Read again in a while; of several failures meanwhile the first counts. */
  soon(): void {
    this.#startAnewAfterCalm();
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (document.hidden) document.addEventListener("visibilitychange", () => this.soon(), { once: true });
      else this.#read();
    }, this.#wait);
  }

  #read(): void {
    this.#wait = Math.min(2 * this.#wait, LONGEST_MS);
    this.#startAnewAfterCalm();
    this.read();
  }

  #startAnewAfterCalm(): void {
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => {
      this.#wait = FIRST_MS;
    }, CALM_MS);
  }
}
