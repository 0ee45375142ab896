import type { ResultView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";

/** Results of one answer, which is parsed in one go: their evidence is what makes it large. */
const BATCH = 500;

/** Reads the results of one run in order, each exactly once. */
export class RunResults {
  readonly byAccount = new Map<number, ResultView>();
  #after = 0;
  #reading: Promise<void> | null = null;
  #again = false;

  constructor(
    private readonly client: Client,
    readonly run: number,
    private readonly onResults: (results: readonly ResultView[]) => void,
  ) {}

  /** Read new results. Calls during a read share one further read. */
  read(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    do {
      this.#again = false;
      for (;;) {
        const query = { run: this.run, after: this.#after, limit: BATCH };
        const { results } = await this.client.get("inspections/results", query);
        if (!results.length) break;
        for (const result of results) {
          this.byAccount.set(result.account, result);
          this.#after = Math.max(this.#after, result.seq);
        }
        this.onResults(results);
        // A pool that is far behind gives way to input between its answers.
        if (results.length < BATCH) break;
        await new Promise((resume) => {
          setTimeout(resume);
        });
      }
    } while (this.#again);
  }
}
