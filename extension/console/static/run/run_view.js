import { Latest } from "../connection/latest.js";
import { ResultFeed } from "./result_feed.js";

/**
 * Which results are in view: the latest of every account in the pool's scope, or those of one run. Reads them as they
 * land. Dispatches `change`.
 */
export class RunView extends EventTarget {
  /** @type {Map<number, ResultFeed>} */ #feeds = new Map();
  /** @type {import("./run_model.js").Run | null} */ #chosen = null;
  #latest = new Latest();

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("../pool/pool_model.js").PoolModel} pool
   */
  constructor(client, pool) {
    super();
    this.client = client;
    this.pool = pool;
    /** @type {Map<number, import("../table/rows.js").Account>} accounts of the chosen run's source */
    this.accounts = new Map();
  }

  /** The id of the run in view; null: the pool. */
  get run() {
    return this.#chosen?.id ?? null;
  }

  /** The source of the accounts in view, when a run is. */
  get source() {
    return this.#chosen?.accountSource;
  }

  /** @returns {Map<number, import("../table/rows.js").Result>} */
  get results() {
    return this.#chosen ? this.#feed(this.#chosen.id).results : new Map();
  }

  /** @param {import("./run_model.js").Run | null | undefined} run */
  async choose(run) {
    this.#chosen = run ?? null;
    this.dispatchEvent(new Event("change"));
    if (run) await Promise.all([this.#feed(run.id).read(), this.reloadAccounts()]);
  }

  /** Reads what has landed in the run in view. */
  async refresh() {
    if (this.#chosen) await this.#feed(this.#chosen.id).read();
  }

  /**
   * Reads what has landed in this run, for the pool as well as for the run in view.
   *
   * @param {number} run
   */
  async landed(run) {
    await this.#feed(run).read();
  }

  /** Reads the accounts a run in view belongs to: all of its source, whatever the pool's scope is. */
  async reloadAccounts() {
    const run = this.#chosen;
    if (!run) return;
    const ticket = this.#latest.begin();
    const { accounts } = await this.client.get("pool", { source: run.accountSource, family: "all", filter: "" });
    if (run !== this.#chosen || !this.#latest.counts(ticket)) return;
    this.accounts = new Map(accounts.map((account) => [account.id, account]));
    this.dispatchEvent(new Event("change"));
  }

  /** @param {number} run */
  #feed(run) {
    const known = this.#feeds.get(run);
    if (known) return known;
    const feed = new ResultFeed(this.client, run, (results) => {
      this.pool.applyResults(results);
      if (run === this.run) this.dispatchEvent(new Event("change"));
    });
    this.#feeds.set(run, feed);
    return feed;
  }
}
