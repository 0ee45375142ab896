import { ACTIVE_STATES, RESUMABLE_STATES } from "../_generated_constants.js";
import { Latest } from "../connection/latest.js";

/**
 * @import { RunState } from "../../_generated_types.js"
 * @typedef {import("../../_generated_types.js").RunView} Run
 * @typedef {"stop" | "pause" | "resume" | "finish"} Command
 */

/** @type {Set<RunState>} */
const ACTIVE = new Set(ACTIVE_STATES);
/** @type {Set<RunState>} */
const RESUMABLE = new Set([...RESUMABLE_STATES, "paused"]);
const RUNS_SHOWN = 30;

/** @param {Run | undefined} run */
export function isActive(run) {
  return run !== undefined && ACTIVE.has(run.state);
}

/** @param {Run | undefined} run */
export function isResumable(run) {
  return run !== undefined && RESUMABLE.has(run.state);
}

/**
 * The runs of the pool, newest first. Dispatches `change`.
 *
 * Only readings are shown, later ones over earlier ones. The answer to a command is followed by a new reading, because
 * the run may have moved on while the answer was on its way.
 */
export class RunModel extends EventTarget {
  #latest = new Latest();

  /** @param {import("../connection/client.js").Client} client */
  constructor(client) {
    super();
    this.client = client;
    /** @type {Run[]} */
    this.runs = [];
  }

  /** The run in progress, if any. */
  get active() {
    return this.runs.find(isActive);
  }

  /** @param {{accountSource: string}} scope in view */
  newestOf(scope) {
    return this.runs.find(({ accountSource }) => accountSource === scope.accountSource);
  }

  /** @param {number | null} id */
  find(id) {
    return this.runs.find((run) => run.id === id);
  }

  async load() {
    const ticket = this.#latest.begin();
    const { runs } = await this.client.get("inspections", { limit: RUNS_SHOWN });
    const newest = runs.map((run) => this.#newest(run, ticket));
    const ids = new Set(newest.map(({ id }) => id));
    // One that was started meanwhile, and has been read since, is not in this answer.
    const since = this.runs.filter(({ id }) => !ids.has(id) && !this.#latest.counts(ticket, id));
    this.runs = [...since, ...newest];
    this.#changed();
  }

  /** @param {number} id */
  async reload(id) {
    const ticket = this.#latest.begin();
    const { runs } = await this.client.get("inspections", { run: id });
    for (const run of runs) this.#put(this.#newest(run, ticket));
  }

  /** @param {import("../settings/fields.js").Settings} settings */
  async start(settings) {
    await this.reload((await this.client.post("inspections", settings)).run.id);
  }

  /**
   * Send a command to a run.
   *
   * @param {Command} command
   * @param {number} id
   */
  async steer(command, id) {
    await this.client.post(`inspections/${command}`, undefined, { run: id });
    await this.reload(id);
  }

  /**
   * @param {number} id
   * @param {number} done
   * @param {number} total
   */
  progress(id, done, total) {
    const run = this.find(id);
    if (run && isActive(run)) this.#put({ ...run, done: Math.max(done, run.done), total });
  }

  /**
   * Return the newer state of a run: the reading or the known one. The count never goes back, because events report
   * progress as well.
   *
   * @param {Run} run
   * @param {number} ticket
   */
  #newest(run, ticket) {
    const known = this.find(run.id);
    const counts = this.#latest.counts(ticket, run.id);
    if (!known) return run;
    return counts ? { ...run, done: Math.max(run.done, known.done) } : known;
  }

  /** @param {Run} run */
  #put(run) {
    const at = this.runs.findIndex(({ id }) => id === run.id);
    if (at >= 0) this.runs = this.runs.with(at, run);
    else this.runs = [run, ...this.runs].sort((one, other) => other.id - one.id);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
