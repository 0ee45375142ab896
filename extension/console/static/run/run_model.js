/**
 * One run as the service tells of it.
 *
 * @typedef {Object} Run
 * @property {number} id
 * @property {string} state
 * @property {string} accountSource
 * @property {string} targetType
 * @property {number} total
 * @property {number} done
 * @property {number} startedAt
 * @property {number | null} finishedAt
 * @property {string} reason
 * @property {string} startedBy
 * @property {number | null} schedule the schedule that started it
 */

const ACTIVE = new Set(["queued", "running", "paused", "finishing", "stopping"]);
const RESUMABLE = new Set(["paused", "interrupted", "failed"]);
const RUNS_SHOWN = 30;

/** @param {Run | undefined} run */
export function isActive(run) {
  return Boolean(run) && ACTIVE.has(run.state);
}

/** @param {Run | undefined} run */
export function isResumable(run) {
  return Boolean(run) && RESUMABLE.has(run.state);
}

/** The runs of the pool, newest first. Dispatches `change`. */
export class RunModel extends EventTarget {
  /** @param {import("../connection/client.js").Client} client */
  constructor(client) {
    super();
    this.client = client;
    /** @type {Run[]} */
    this.runs = [];
  }

  /** The run that is under way, if there is one. */
  get active() {
    return this.runs.find(isActive);
  }

  /** @param {number} id */
  find(id) {
    return this.runs.find((run) => run.id === id);
  }

  async load() {
    this.runs = (await this.client.get("inspections", { limit: RUNS_SHOWN })).runs;
    this.#changed();
  }

  /** @param {number} id */
  async reload(id) {
    const { runs } = await this.client.get("inspections", { run: id });
    for (const run of runs) this.#put(run);
  }

  /** @param {import("../settings/stored_settings.js").Settings} settings */
  async start(settings) {
    this.#put((await this.client.post("inspections", settings)).run);
  }

  /**
   * Tells a run what to do.
   *
   * @param {"stop" | "pause" | "resume" | "finish"} command
   * @param {number} id
   */
  async steer(command, id) {
    this.#put((await this.client.post(`inspections/${command}`, undefined, { run: id })).run);
  }

  /**
   * @param {number} id
   * @param {{done: number, total: number}} progress
   */
  progress(id, { done, total }) {
    const run = this.find(id);
    if (run && isActive(run)) this.#put({ ...run, done: Math.max(done, run.done), total });
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
