/** New requests as they are stored, read from the service's stream. */

/** @import { StreamAnswer, UsageView } from "../../../_generated_types.js" */

/** Follows new requests that pass the filters, from the newest stored one on. */
export class LiveRequests {
  /** @type {EventSource | null} */ #source = null;

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

  close() {
    this.#source?.close();
    this.#source = null;
  }
}
