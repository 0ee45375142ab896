import type { RunView } from "../../connection/api.js";
import { accountName } from "../../accounts/account_name.js";
import { FAILING } from "../../accounts/status.js";
import { text } from "../../language/catalogue.js";
import { formatCount, formatDecimal, formatDuration } from "../../language/formats.js";
import type { Account } from "./rows.js";
import { isActive } from "./runs.js";

const SHORTEST_MS = 2_000;
const WINDOW_MS = 20_000;
/** Last accounts, whose answers the pace does not foretell. */
const FEW = 3;

/** Return the number of failing accounts of a run: as the service counts them, or among the results that are here. */
export function failingOf({ verdicts }: RunView, arrived = 0): number {
  return Math.max(
    arrived,
    FAILING.reduce((sum, verdict) => sum + (verdicts[verdict] ?? 0), 0),
  );
}

/**
 * Return the names of the last accounts that a run waits for. They are named from the moment that all of them are being
 * checked, so that each waits for its own answer; not before, nor when others than those given are among them.
 */
export function pendingNames(run: RunView, accounts: Iterable<Account>): string[] {
  const count = isActive(run) ? run.total - run.done : 0;
  if (count < 1 || count > Math.max(FEW, Number(run.settings.workers ?? 0))) return [];
  const pending = [...accounts].filter(
    ({ accountSource, lastResult, neverProbe }) =>
      accountSource === run.accountSource && lastResult?.run !== run.id && !neverProbe,
  );
  if (pending.length !== count) return [];
  const rest = count > FEW ? [text("count.more", { n: count - FEW })] : [];
  return [...pending.slice(0, FEW).map(accountName), ...rest];
}

/** Pace of the run in view, measured over the last seconds, so that a pause does not count. */
export class ProgressPace {
  #run = 0;
  #samples: { at: number; done: number }[] = [];

  /** Say how fast a run goes, and how long it goes on; `now` in milliseconds of any clock. */
  describe(run: RunView, now: number, pending: readonly string[] = []): string {
    if (run.state !== "running") return "";
    const isWaiting = pending.length > 0 && run.total - run.done <= FEW;
    const parts = this.#pace(run, now, isWaiting);
    if (pending.length) parts.push(text("run.waiting_for", { names: pending.join(", ") }));
    return parts.join(" · ");
  }

  #pace({ id, done, total }: RunView, now: number, isWaiting: boolean): string[] {
    if (id !== this.#run || done < (this.#samples.at(-1)?.done ?? 0)) this.#samples = [];
    this.#run = id;
    this.#samples = [...this.#samples.filter(({ at }) => now - at < WINDOW_MS), { at: now, done }];
    const [first] = this.#samples;
    const [elapsed, checked] = [now - first.at, done - first.done];
    if (elapsed < SHORTEST_MS || !checked) return [];
    const rate = (1_000 * checked) / elapsed;
    const parts = [text("run.rate", { rate: rate < 10 ? formatDecimal(rate, 1, 1) : formatCount(Math.round(rate)) })];
    if (done < total && !isWaiting) {
      parts.push(text("run.left", { time: formatDuration((1_000 * (total - done)) / rate) }));
    }
    return parts;
  }
}
