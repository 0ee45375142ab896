import { VERDICTS } from "../_generated_constants.js";
import { formatCount, formatDecimal, formatDuration } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { toneOf } from "../table/vocabulary.js";

const SHORTEST_MS = 2000;
const WINDOW_MS = 20_000;
/** Last accounts, whose answers the pace does not foretell. */
const FEW = 3;

/** Statuses that count as failing. */
export const FAILING = Object.keys(VERDICTS).filter((verdict) => toneOf(verdict) === "bad");

/**
 * Return the number of failing accounts of a run.
 *
 * @param {import("./run_model.js").Run} run
 * @param {number} [landed] failing accounts among the results that have come in
 */
export function failingOf({ verdicts }, landed = 0) {
  return Math.max(landed, FAILING.reduce((sum, verdict) => sum + (verdicts?.[verdict] ?? 0), 0));
}

/** Pace of the run in view, measured over the last seconds, so that a pause does not count. */
export class ProgressPace {
  #run = 0;
  /** @type {{at: number, done: number}[]} */ #samples = [];

  /**
   * Describe how fast a run goes, and how long it goes on; empty before anything is known.
   *
   * @param {import("./run_model.js").Run} run
   * @param {number} now milliseconds
   * @param {readonly string[]} [pending] names of the last accounts without an answer
   */
  describe(run, now, pending = []) {
    const isWaiting = pending.length > 0 && run.total - run.done <= FEW;
    const parts = run.state === "running" ? this.#pace(run, now, isWaiting) : [];
    if (run.state === "running" && pending.length) parts.push(text("run.waiting_for", { names: pending.join(", ") }));
    return parts.join(" · ");
  }

  /**
   * @param {import("./run_model.js").Run} run
   * @param {number} now
   * @param {boolean} isWaiting for the last accounts, whose answers the pace does not foretell
   */
  #pace({ id, done, total }, now, isWaiting) {
    if (id !== this.#run || done < (this.#samples.at(-1)?.done ?? 0)) this.#samples = [];
    this.#run = id;
    this.#samples = [...this.#samples.filter(({ at }) => now - at < WINDOW_MS), { at: now, done }];
    const [first] = this.#samples;
    const [elapsed, checked] = [now - first.at, done - first.done];
    if (elapsed < SHORTEST_MS || !checked) return [];
    const rate = (1000 * checked) / elapsed;
    const parts = [text("run.rate", { rate: rate < 10 ? formatDecimal(rate, 1, 1) : formatCount(Math.round(rate)) })];
    if (done < total && !isWaiting) {
      parts.push(text("run.left", { time: formatDuration((1000 * (total - done)) / rate) }));
    }
    return parts;
  }
}
