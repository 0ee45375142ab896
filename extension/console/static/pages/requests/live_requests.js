/** New requests as they are stored, read from the service's stream, or page by page where a stream carries no key. */

import { isSignedOut } from "../../connection/problem.js";

/** @import { StreamAnswer, UsageView } from "../../../_generated_types.js" */

const POLL_MS = 1500;
const POLLS_BEFORE_RETRY = 20;
/** Time after which a stream without its heartbeat, sent every 10 s, or a read without an answer is given up. */
const SILENCE_MS = 25_000;

/**
 * Follows new requests that pass the filters, from the newest stored one on.
 *
 * A silent stream, or one that is refused, is lost; reads go on until one is answered, and then a new stream.
 *
 * A page that is hidden listens to nothing and catches up when it is shown: a browser has six connections to a service
 * for all its tabs together, and each stream keeps one of them.
 */
export class LiveRequests {
  #after = 0;
  /** @type {Record<string, string>} */ #filters = {};
  /** @type {AbortController | null} ends the watch of the page's visibility */ #watch = null;
  #polls = 0;
  /** Whether the newest poll failed. */ #hasFailed = false;
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
    if (this.client.isKeyed) this.#startPolling(POLL_MS);
    else this.#listen();
  }

  #stop() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #listen() {
    this.#stop();
    const asked = { ...this.#filters, after: this.#after, heartbeat: "true" };
    const source = new EventSource(this.client.address("../usage/stream", asked));
    this.#source = source;
    this.#expectHeartbeat();
    source.addEventListener("usage", (event) => {
      this.#expectHeartbeat();
      /** @type {StreamAnswer} */
      const answer = JSON.parse(/** @type {MessageEvent} */ (event).data);
      this.#after = answer.next;
      this.onRequests(answer.events);
    });
    source.addEventListener("heartbeat", () => this.#expectHeartbeat());
    source.addEventListener("open", () => {
      this.#expectHeartbeat();
      this.onState(false);
    });
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#expectHeartbeat();
      this.onState(true);
      if (source.readyState === EventSource.CLOSED) this.#startPolling(0);
    });
  }

  /** Give the stream up unless it gives another sign of life in time. */
  #expectHeartbeat() {
    if (!this.#source) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.onState(true);
      this.#startPolling(0);
    }, SILENCE_MS);
  }

  /** @param {number} wait milliseconds before the first read */
  #startPolling(wait) {
    this.#stop();
    this.#polls = 0;
    this.#hasFailed = false;
    this.#timer = setTimeout(() => this.#poll(), wait);
  }

  /** @returns {Promise<StreamAnswer>} */
  #read() {
    const query = { ...this.#filters, after: this.#after };
    const signal = AbortSignal.timeout(SILENCE_MS);
    const answered = this.client.lasting.request("GET", "../usage/stream", query, undefined, signal);
    return /** @type {Promise<StreamAnswer>} */ (answered);
  }

  async #poll() {
    const timer = this.#timer;
    try {
      const answer = await this.#read();
      if (timer !== this.#timer) return;
      if (answer.events.length) this.onRequests(answer.events);
      this.#after = answer.next;
      this.onState(false);
      // The stream had ended for what the polls failed with.
      if (this.#hasFailed) this.#polls = POLLS_BEFORE_RETRY;
      this.#hasFailed = false;
    } catch (problem) {
      if (timer !== this.#timer) return;
      this.onState(true);
      if (isSignedOut(problem)) return;
      this.#hasFailed = true;
    }
    this.#polls += 1;
    if (this.#polls >= POLLS_BEFORE_RETRY && !this.client.isKeyed) this.#listen();
    else this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }
}
