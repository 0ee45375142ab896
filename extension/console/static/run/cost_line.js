import { byId } from "../dom.js";
import { formatCount, plural } from "../formatting.js";

const SETTLE_MS = 300;

/**
 * Describe the maximum cost of a run.
 *
 * @param {{accounts: number, probed: number, requests: number, tokens: number, sampled: boolean,
 *   controls?: number}} cost
 */
export function describeCost({ accounts, probed, requests, tokens, sampled, controls = 0 }) {
  if (!accounts) return "No account is in scope. A run would send no requests.";
  if (!probed) return `None of ${plural(accounts, "account")} can be checked. A run would send no requests.`;
  const tokensText = tokens ? `up to ${plural(tokens, "token")}` : "no tokens";
  const scope = sampled
    ? `a sample of ${plural(probed, "account")}` : `${formatCount(probed)} of ${plural(accounts, "account")}`;
  const wrongKeys = controls ? ` (${formatCount(controls)} of them with a wrong key, for comparison)` : "";
  return `The next run checks ${scope}: up to ${plural(requests, "request")}${wrongKeys}, ${tokensText}.`;
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
      text = describeCost(await this.client.post("inspections/cost", this.store.current));
    } catch (problem) {
      text = `The cost of the next run is unknown: ${/** @type {Error} */ (problem).message}`;
    }
    if (mine === this.#latest) this.node.textContent = text;
  }
}
