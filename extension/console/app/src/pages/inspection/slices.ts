/**
 * Long work in short slices, so that the page answers in between: to build, filter and sort 10,000 rows takes longer
 * than a frame. The work runs until the budget of a slice is used up, then waits for the browser.
 */

const BUDGET_MS = 10;
export const CHUNK = 500;

export class Slices {
  #began = performance.now();

  /** Wait for the browser when the budget is used up. */
  async rest(): Promise<void> {
    if (performance.now() - this.#began < BUDGET_MS) return;
    await new Promise((resume) => {
      setTimeout(resume);
    });
    this.#began = performance.now();
  }
}

/** Sort a list in slices, stably: chunks first, then pairs of sorted runs. */
export async function sortInSlices<T>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<T[]> {
  let runs: T[][] = [];
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

async function merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number, slices: Slices): Promise<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(compare(right[r], left[l]) < 0 ? right[r++] : left[l++]);
    if (merged.length % CHUNK === 0) await slices.rest();
  }
  return merged.concat(left.slice(l), right.slice(r));
}
