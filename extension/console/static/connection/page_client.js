import { Client } from "./client.js";
import { QUESTIONS } from "./known_reads.js";
import { ReadPlaces } from "./read_places.js";

/** @import { Sent } from "./client.js" */

/** Paths that the service answers from the gateway, and is held up with by a silent one. */
const FROM_GATEWAY = ["pool", "pool/overview", "pool/plan", "pool/restore", "inspections/cost", "inspections/plan"];
/**
 * Time after which an answer is late enough to be spoken of. A stock gateway under the load of a run takes about a
 * second for a read: the sign would alternate all the time.
 */
const LATE_MS = 3_000;

/**
 * Client of one showing of a page: what it reads is given up when the page is left, and keeps no connection from the
 * next page. Changes are carried out whatever page is in view.
 */
export class PageClient extends Client {
  #owner;
  #signal;
  #onLate;
  #late = 0;
  #places = new ReadPlaces();

  /**
   * @param {Client} owner with the session
   * @param {AbortSignal} signal ends the reads
   * @param {(isLate: boolean) => void} [onLate] called when the gateway lets a read wait, and when it does no more
   */
  constructor(owner, signal, onLate = () => {}) {
    super(owner.base, { onAnswer: () => {}, onSignedOut: () => {} }, owner.isKeyed);
    this.#owner = owner;
    this.#signal = signal;
    this.#onLate = onLate;
  }

  /** @override */
  get leaving() {
    return this.#owner.leaving;
  }

  /** @override */
  get lasting() {
    return this.#owner;
  }

  /**
   * @override
   * @param {string} path
   * @param {import("./client.js").Query} query
   */
  file(path, query) {
    return this.#owner.file(path, query);
  }

  /**
   * @override
   * @param {Sent} sent
   */
  async request(...sent) {
    const [method, path, query, body] = sent;
    if (method !== "GET" && !QUESTIONS.includes(path)) return this.#owner.request(...sent);
    const isSlow = FROM_GATEWAY.includes(path);
    const read = () => this.#owner.request(method, path, query, body, this.#signal);
    return this.#places.hold(isSlow, () => (isSlow ? this.#timed(read) : read()));
  }

  /**
   * @template T
   * @param {() => Promise<T>} read
   */
  async #timed(read) {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#late += 1;
      if (this.#late === 1) this.#onLate(true);
    }, LATE_MS);
    try {
      return await read();
    } finally {
      clearTimeout(timer);
      if (isLate) this.#late -= 1;
      if (isLate && !this.#late) this.#onLate(false);
    }
  }
}
