import { byId } from "../dom.js";
import { formatCount, plural } from "../formatting.js";

const SETTLE_MS = 300;

/**
 * The most a run with some settings can cost, in words.
 *
 * @param {{accounts: number, probed: number, requests: number, tokens: number, sampled: boolean}} cost
 */
export function describeCost({ accounts, probed, requests, tokens, sampled }) {
  if (!accounts) return "No account is in scope: a run would send nothing.";
  if (!probed) return `None of ${plural(accounts, "account")} can be probed: a run would send nothing.`;
  const tokensText = tokens ? `${plural(tokens, "token")} at most` : "no tokens";
  const whom = sampled
    ? `a sample of ${plural(probed, "account")}` : `${formatCount(probed)} of ${plural(accounts, "account")}`;
  return `The next run probes ${whom}: ${plural(requests, "request")} at most, ${tokensText}.`;
}

/** What the next run would cost, asked anew whenever the settings or the pool change, and while no run is under way. */
export class CostLine {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #latest = 0;

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("../settings/settings_store.js").SettingsStore} store
   */
  constructor(client, store) {
    this.client = client;
    this.store = store;
    this.node = byId("cost");
    store.addEventListener("change", () => this.ask());
  }

  /** Asks soon; several calls in short order are one question. */
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
      text = `What the next run costs is not known: ${/** @type {Error} */ (problem).message}`;
    }
    if (mine === this.#latest) this.node.textContent = text;
  }
}
