/** New requests as they are stored, read from the service's stream, or page by page where a stream carries no key. */

import { isSignedOut } from "../../connection/problem.js";

/** @import { StreamAnswer, UsageView } from "../../../_generated_types.js" */

const POLL_MS = 1500;

/** Follows new requests that pass the filters, from the newest stored one on. */
export class LiveRequests {
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
    if (this.client.isKeyed) this.#wait(after, filters);
    else this.#listen(after, filters);
  }

  close() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * @param {number} after
   * @param {Record<string, string>} filters
   */
  #listen(after, filters) {
    const source = new EventSource(this.client.address("../usage/stream", { ...filters, after }));
    this.#source = source;
    source.addEventListener("usage", (event) => {
      /** @type {StreamAnswer} */
      const answer = JSON.parse(/** @type {MessageEvent} */ (event).data);
      this.onRequests(answer.events);
    });
    source.addEventListener("open", () => this.onState(false));
    source.addEventListener("error", () => this.onState(true));
  }

  /**
   * @param {number} after
   * @param {Record<string, string>} filters
   */
  #wait(after, filters) {
    this.#timer = setTimeout(() => this.#poll(after, filters), POLL_MS);
  }

  /**
   * @param {number} after
   * @param {Record<string, string>} filters
   */
  async #poll(after, filters) {
    const timer = this.#timer;
    let next = after;
    try {
      const answer = await this.client.get("../usage/stream", { ...filters, after });
      if (timer !== this.#timer) return;
      if (answer.events.length) this.onRequests(answer.events);
      next = answer.next;
      this.onState(false);
    } catch (problem) {
      if (timer !== this.#timer) return;
      this.onState(true);
      if (isSignedOut(problem)) return;
    }
    this.#wait(next, filters);
  }
}
