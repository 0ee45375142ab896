/**
 * Long work in short slices, so that the page answers in between.
 *
 * A sort of 10,000 rows, or the reading of as many, takes longer than a frame. The work runs until the budget of a
 * slice is used up, then waits for the browser to handle input and paint.
 */

const BUDGET_MS = 10;
const CHUNK = 500;

/** Wait for the next task of the browser, which handles input and paints in between. */
export function nextTask() {
  return new Promise((resume) => { setTimeout(resume); });
}

/** Measures the slice in progress. */
export class Slices {
  #began = performance.now();

  /** Wait for the browser when the budget is used up. */
  async rest() {
    if (performance.now() - this.#began < BUDGET_MS) return;
    await nextTask();
    this.#began = performance.now();
  }
}

/**
 * Map a list in slices.
 *
 * @template T, U
 * @param {T[]} list
 * @param {(each: T) => U} change
 * @param {Slices} slices
 */
export async function mapInSlices(list, change, slices) {
  /** @type {U[]} */
  const changed = [];
  for (let at = 0; at < list.length; at += CHUNK) {
    for (const each of list.slice(at, at + CHUNK)) changed.push(change(each));
    await slices.rest();
  }
  return changed;
}

/**
 * Sort a list in slices, stably: chunks first, then pairs of sorted runs.
 *
 * @template T
 * @param {T[]} list
 * @param {(one: T, other: T) => number} compare
 * @param {Slices} slices
 */
export async function sortInSlices(list, compare, slices) {
  /** @type {T[][]} */
  let runs = [];
  for (let at = 0; at < list.length; at += CHUNK) {
    runs.push(list.slice(at, at + CHUNK).sort(compare));
    await slices.rest();
  }
  while (runs.length > 1) {
    const merged = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(at + 1 < runs.length ? await merge(runs[at], runs[at + 1], compare, slices) : runs[at]);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/**
 * @template T
 * @param {T[]} left
 * @param {T[]} right
 * @param {(one: T, other: T) => number} compare
 * @param {Slices} slices
 */
async function merge(left, right, compare, slices) {
  /** @type {T[]} */
  const merged = [];
  let [one, other] = [0, 0];
  while (one < left.length && other < right.length) {
    merged.push(compare(right[other], left[one]) < 0 ? right[other++] : left[one++]);
    if (merged.length % CHUNK === 0) await slices.rest();
  }
  return merged.concat(left.slice(one), right.slice(other));
}
