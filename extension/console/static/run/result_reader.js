import { nextTask } from "../scheduling/slices.js";

/** Results of one answer, which is parsed in one go: their evidence is what makes it large. */
const BATCH = 500;

/**
 * Reader of the results of one run, in order and each exactly once.
 */
export class ResultReader {
  #after = 0;
  /** @type {Promise<void> | null} */ #reading = null;
  #again = false;

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {number} run
   * @param {(results: import("../table/rows.js").FullResult[]) => void} onResults
   */
  constructor(client, run, onResults) {
    this.client = client;
    this.run = run;
    this.onResults = onResults;
    /** @type {Map<number, import("../table/rows.js").FullResult>} */
    this.results = new Map();
  }

  /** Read new results. Calls during a read share one further read. */
  read() {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#readAll().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #readAll() {
    do {
      this.#again = false;
      let landed;
      do {
        const query = { run: this.run, after: this.#after, limit: BATCH };
        landed = (await this.client.get("inspections/results", query)).results;
        for (const result of landed) {
          this.results.set(result.account, result);
          this.#after = Math.max(this.#after, result.seq);
        }
        if (landed.length) this.onResults(landed);
        // A pool that is far behind gives way to input between its answers.
        if (landed.length === BATCH) await nextTask();
      } while (landed.length);
    } while (this.#again);
  }
}
