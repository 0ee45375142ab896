/** New requests as they are stored, read from the service's stream, or page by page where a stream carries no key. */

import { isSignedOut } from "../../connection/problem.js";

/** @import { StreamAnswer, UsageView } from "../../../_generated_types.js" */

const POLL_MS = 1500;

/**
 * Follows new requests that pass the filters, from the newest stored one on.
 *
 * A page that is hidden listens to nothing and catches up when it is shown: a browser has six connections to a service
 * for all its tabs together, and each stream keeps one of them.
 */
export class LiveRequests {
  #after = 0;
  /** @type {Record<string, string>} */ #filters = {};
  /** @type {AbortController | null} ends the watch of the page's visibility */ #watch = null;
  /** @type {EventSource | null} */ #source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {import("../../connection/client.js").Client} client
   * @param {(requests: UsageView[]) => void} onRequests oldest first
   * @param {(lost: boolean) => void} onState
   */
  constructor(client, onRequests, onState) {
    this.client = client;
    this.onRequests = onRequests;
    this.onState = onState;
  }

  /**
   * @param {number} after number of the newest request that is shown
   * @param {Record<string, string>} filters
   */
  open(after, filters) {
    this.close();
    this.#after = after;
    this.#filters = filters;
    this.#watch = new AbortController();
    document.addEventListener("visibilitychange", () => this.#follow(), { signal: this.#watch.signal });
    this.#follow();
  }

  close() {
    this.#watch?.abort();
    this.#watch = null;
    this.#stop();
  }

  /** Listen while the page is shown. */
  #follow() {
    this.#stop();
    if (document.hidden) return;
    if (this.client.isKeyed) this.#wait();
    else this.#listen();
  }

  #stop() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #listen() {
    const source = new EventSource(this.client.address("../usage/stream", { ...this.#filters, after: this.#after }));
    this.#source = source;
    source.addEventListener("usage", (event) => {
      /** @type {StreamAnswer} */
      const answer = JSON.parse(/** @type {MessageEvent} */ (event).data);
      this.#after = answer.next;
      this.onRequests(answer.events);
    });
    source.addEventListener("open", () => this.onState(false));
    source.addEventListener("error", () => this.onState(true));
  }

  #wait() {
    this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }

  async #poll() {
    const timer = this.#timer;
    try {
      const answer = await this.client.get("../usage/stream", { ...this.#filters, after: this.#after });
      if (timer !== this.#timer) return;
      if (answer.events.length) this.onRequests(answer.events);
      this.#after = answer.next;
      this.onState(false);
    } catch (problem) {
      if (timer !== this.#timer) return;
      this.onState(true);
      if (isSignedOut(problem)) return;
    }
    this.#wait();
  }
}
