import { byId } from "../dom.js";
import { formatCount } from "../formatting.js";
import { text as phrase } from "../language/catalogue.js";
import { READING_AGE } from "../pool/pool_reader.js";

const SETTLE_MS = 300;

/**
 * Describe the maximum cost of a run.
 *
 * @param {{accounts: number, probed: number, requests: number, tokens: number, sampled: boolean,
 *   controls?: number}} cost
 */
export function describeCost({ accounts, probed, requests, tokens, sampled, controls = 0 }) {
  if (!accounts) return phrase("cost.no_account");
  if (!probed) return phrase("cost.none_checked", { n: accounts });
  const tokensText = tokens ? phrase("cost.tokens", { n: tokens }) : phrase("cost.no_tokens");
  const scope = sampled
    ? phrase("cost.sample", { n: probed }) : phrase("cost.scope", { probed: formatCount(probed), n: accounts });
  const wrongKeys = controls ? phrase("cost.wrong_keys", { n: controls }) : "";
  return phrase("cost.next", {
    scope, requests: phrase("count.requests", { n: requests }), wrong: wrongKeys, tokens: tokensText,
  });
}

/** Estimated cost of the next run, updated when the settings or the pool change. */
export class CostLine {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #latest = 0;

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("../settings/settings_store.js").SettingsStore} store
   * @param {AbortSignal} signal the page is left
   */
  constructor(client, store, signal) {
    this.client = client;
    this.store = store;
    this.node = byId("cost");
    store.addEventListener("change", () => this.ask(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /** Schedule an update. Calls in quick succession are one request. */
  ask() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), SETTLE_MS);
  }

  /** @param {boolean} busy a run is under way */
  render(busy) {
    this.node.hidden = busy;
  }

  async #read() {
    if (this.client.leaving) return;
    const mine = ++this.#latest;
    let text;
    try {
      text = describeCost(await this.client.post("inspections/cost", this.store.current, { age: READING_AGE }));
    } catch (problem) {
      text = phrase("cost.unknown", { problem: /** @type {Error} */ (problem).message });
    }
    if (mine === this.#latest) this.node.textContent = text;
  }
}
