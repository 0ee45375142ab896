import { accountName } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { isActive } from "./run_model.js";

const MOST_NAMED = 3;

/**
 * Names of the last accounts that a run waits for, the rest of them counted. They are named from the moment that all of
 * them are being checked, so that each waits for its own answer; empty before, or when others than those in view are
 * among them.
 *
 * @param {import("./run_model.js").Run | undefined} run
 * @param {ReadonlyMap<number, import("../table/rows.js").Account>} accounts in view
 */
export function pendingNames(run, accounts) {
  const count = run && isActive(run) ? run.total - run.done : 0;
  if (!run || count < 1 || count > Math.max(MOST_NAMED, Number(run.settings.workers ?? 0))) return [];
  const isPending = (/** @type {import("../table/rows.js").Account} */ { lastResult, neverProbe }) =>
    lastResult?.run !== run.id && !neverProbe;
  const pending = [...accounts.values()].filter(isPending);
  if (pending.length !== count) return [];
  const rest = count > MOST_NAMED ? [text("count.more", { n: count - MOST_NAMED })] : [];
  return [...pending.slice(0, MOST_NAMED).map(accountName), ...rest];
}
