import { accountName } from "../formatting.js";
import { isActive } from "./run_model.js";

const MOST_NAMED = 3;

/**
 * Names of the last accounts that a run waits for; empty while there are more, or when others than those in view are
 * among them.
 *
 * @param {import("./run_model.js").Run | undefined} run
 * @param {ReadonlyMap<number, import("../table/rows.js").Account>} accounts in view
 */
export function pendingNames(run, accounts) {
  const count = run && isActive(run) ? run.total - run.done : 0;
  if (!run || count < 1 || count > MOST_NAMED) return [];
  const isPending = (/** @type {import("../table/rows.js").Account} */ { lastResult, neverProbe }) =>
    lastResult?.run !== run.id && !neverProbe;
  const pending = [...accounts.values()].filter(isPending);
  return pending.length === count ? pending.map(accountName) : [];
}
