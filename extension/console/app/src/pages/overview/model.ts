/** Health of the pool as figures, trends, hosts and gaps of knowledge. Pure. */

import { accountsAddress } from "../../accounts/address.js";
import { toneOf } from "../../accounts/status.js";
import type { CollectionAnswer, GapView, OverviewAnswer, RunHealthView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { TONES, type Tone } from "../../parts/tone.js";
import { totalOf, waysOf, type Way } from "./attention.js";

/** Share of the largest run of its source that a run has checked at least to count in a trend: others saw a part only. */
const WHOLE = 0.8;
const LONGEST_PROBLEM = 200;

export type ToneCounts = Record<Tone, number>;

/** Count accounts by who has to act. */
export function toneCounts(...statuses: readonly Record<string, number>[]): ToneCounts {
  const counts = Object.fromEntries(TONES.map((tone) => [tone, 0])) as ToneCounts;
  for (const [status, n] of statuses.flatMap(Object.entries)) counts[toneOf(status)] += n;
  return counts;
}

export interface TrendPoint {
  at: number;
  healthy: number;
}

/** Return how the pool stood after each run over a whole source: the newest results of both sources together. */
export function trendOf(runs: readonly RunHealthView[]): TrendPoint[] {
  const most = (source: string) => Math.max(...runs.filter((run) => run.source === source).map(({ done }) => done));
  const newest = new Map<string, ToneCounts>();
  const whole = runs.filter(({ source, done }) => done >= WHOLE * most(source));
  const sources = new Set(whole.map(({ source }) => source)).size;
  return whole.flatMap(({ source, statuses, startedAt }) => {
    newest.set(source, toneCounts(statuses));
    if (newest.size < sources) return [];
    return [{ at: startedAt, healthy: [...newest.values()].reduce((total, { good }) => total + good, 0) }];
  });
}

/** Return how many more accounts are healthy than at a time, in words; empty where that is not known. */
export function changeSince(points: readonly TrendPoint[], since: number): string {
  const before = points.findLast(({ at }) => at <= since);
  const now = points.at(-1);
  if (!before || !now || now.healthy === before.healthy) return "";
  const n = now.healthy - before.healthy;
  return n > 0 ? text("overview.more_healthy", { n }) : text("overview.fewer_healthy", { n: -n });
}

/** Return the accounts of the pool, checked or not. */
export function accountCount({ statuses }: Pick<OverviewAnswer, "statuses">): number {
  return Object.values(statuses)
    .flatMap(Object.values)
    .reduce((sum: number, n: number) => sum + n, 0);
}

/** A place that nothing is known of at the moment. */
export interface Blind {
  id: string;
  tone: Tone;
  words: string;
  /** Name from outside that it is about. */
  name?: string;
  ways: Way[];
}

export function blindOf({ blind, findings }: OverviewAnswer): Blind[] {
  const time = formatTime(blind.oldBefore);
  const [never, old] = [totalOf(findings, "neverChecked"), totalOf(findings, "old")];
  const toSchedules = [{ label: text("pages.schedules"), href: "schedules" }];
  return [
    ...(never
      ? [
          {
            id: "never",
            tone: "wait",
            words: text("overview.blind_never", { n: never }),
            ways: waysOf(findings, "neverChecked", { verdict: "none", state: "in_checks" }),
          } as const,
        ]
      : []),
    ...(old
      ? [
          {
            id: "old",
            tone: "wait",
            words: text("overview.blind_old", { n: old, time }),
            ways: waysOf(findings, "old", { state: "old" }),
          } as const,
        ]
      : []),
    ...blind.failedSchedules.map(({ id, name, problem, problems }): Blind => {
      const words = text("overview.blind_schedule", {
        problem: reasonsText(problems, problem).slice(0, LONGEST_PROBLEM),
      });
      return { id: `schedule ${id}`, tone: "dead", name, words, ways: toSchedules };
    }),
    ...(blind.schedules
      ? []
      : [
          { id: "no_schedule", tone: "unknown", words: text("overview.blind_no_schedule"), ways: toSchedules } as const,
        ]),
  ];
}

export function blindUsage(
  { supported, problem, problems, recording }: CollectionAnswer,
  gaps: readonly GapView[],
): Blind[] {
  const ways = [{ label: text("pages.usage"), href: "usage?period=today" }];
  const hasTrouble = !supported || Boolean(problem);
  const details = reasonsText(problems, problem).slice(0, LONGEST_PROBLEM);
  return [
    ...(hasTrouble
      ? [
          {
            id: "collector",
            tone: "wait",
            words: text("overview.blind_collector", { problem: details }),
            ways,
          } as const,
        ]
      : []),
    ...(!hasTrouble && recording === false
      ? [{ id: "off", tone: "you", words: text("overview.blind_off"), ways } as const]
      : []),
    ...(gaps.length
      ? [{ id: "gaps", tone: "wait", words: text("overview.blind_gaps", { n: gaps.length }), ways } as const]
      : []),
  ];
}

export interface HostRow {
  id: string;
  source: string;
  host: string;
  href: string;
  healthy: number;
  total: number;
  counts: ToneCounts;
}

export function hostRows({ hosts }: Pick<OverviewAnswer, "hosts">): HostRow[] {
  return hosts.map(({ source, host, total, statuses }) => {
    const counts = toneCounts(statuses);
    return {
      id: `${source} ${host}`,
      source,
      host,
      href: accountsAddress({ source, host }),
      healthy: counts.good,
      total,
      counts,
    };
  });
}
