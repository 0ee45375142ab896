import { Latest } from "../connection/latest.js";
import { readPool } from "../pool/pool_reader.js";
import { toneOf } from "../table/vocabulary.js";
import { ResultReader } from "./result_reader.js";

/**
 * Results in view: the latest of every account in the pool's scope, or those of one run. Dispatches `change`.
 */
export class RunView extends EventTarget {
  /** @type {Map<number, ResultReader>} */ #readers = new Map();
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
    /** @type {ReadonlySet<number>} accounts whose changes the chosen run put on hold, released since or not */
    this.held = new Set();
  }

  /** Id of the run in view; null for the pool. */
  get run() {
    return this.#chosen?.id ?? null;
  }

  /** Account source of the run in view. */
  get source() {
    return this.#chosen?.accountSource;
  }

  /** @returns {Map<number, import("../table/rows.js").FullResult>} */
  get results() {
    return this.#chosen ? this.#reader(this.#chosen.id).results : new Map();
  }

  /**
   * Number of failing accounts among the results of a run that are here. The service counts them in its list of runs,
   * which is not read again for each result.
   *
   * @param {number} run
   */
  failingOf(run) {
    const results = this.#readers.get(run)?.results.values() ?? [];
    return [...results].filter(({ verdict }) => toneOf(verdict) === "bad").length;
  }

  /** @param {import("./run_model.js").Run | null | undefined} run */
  async choose(run) {
    this.#chosen = run ?? null;
    this.held = new Set();
    this.dispatchEvent(new Event("change"));
    if (run) await Promise.all([this.#reader(run.id).read(), this.reloadAccounts()]);
  }

  /** Read new results of the run in view. */
  async refresh() {
    if (this.#chosen) await this.#reader(this.#chosen.id).read();
  }

  /**
   * Read new results of a run, for the pool as well as for the run in view.
   *
   * @param {number} run
   */
  async landed(run) {
    await this.#reader(run).read();
  }

  /** Read all accounts of the source of the run in view, regardless of the pool's scope, and what it put on hold. */
  async reloadAccounts() {
    const run = this.#chosen;
    if (!run) return;
    const ticket = this.#latest.begin();
    const isWanted = () => run === this.#chosen && this.#latest.isOpen(ticket);
    const scope = { source: run.accountSource, family: "all", filter: "" };
    const [read, { held }] = await Promise.all([
      readPool(this.client, scope, { isWanted }), this.client.get("inspections/held", { run: run.id })]);
    if (!read || run !== this.#chosen || !this.#latest.counts(ticket)) return;
    this.accounts = new Map(read.accounts.map((account) => [account.id, account]));
    this.held = new Set(held.map(({ account }) => account));
    this.dispatchEvent(new Event("change"));
  }

  /** @param {number} run */
  #reader(run) {
    const known = this.#readers.get(run);
    if (known) return known;
    const reader = new ResultReader(this.client, run, (results) => {
      this.pool.applyResults(results);
      if (run === this.run) this.dispatchEvent(new Event("change"));
    });
    this.#readers.set(run, reader);
    return reader;
  }
}
