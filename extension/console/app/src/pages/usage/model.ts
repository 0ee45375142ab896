/** Usage as tiles, ranks and causes of failures. Pure. */

import type { CollectionAnswer, FailingAccountView, FiguresView, GroupView } from "../../connection/api.js";
import { LEAST } from "../../language/amounts.js";
import { text } from "../../language/catalogue.js";
import { formatLatency, formatPercent, formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { changeText, costOf, leastCount, leastShort, leavesOut } from "../../usage/amounts.js";
import type { Measure } from "../../usage/series.js";
import type { Usage } from "./read_usage.js";

const LONGEST_PROBLEM = 200;

/** Return whether the sums in view leave requests out. */
export function isLowerBound({ summary, by, filters }: Pick<Usage, "summary" | "by" | "filters">): boolean {
  return leavesOut(summary, by, filters);
}

/** Return the measure of an address; without one the cost, or where no request has a price, requests. */
export function measureOf(written: string, usage: Pick<Usage, "summary"> | null): Measure {
  const measures: readonly Measure[] = ["usd", "requests", "tokens", "failed", "latency"];
  const hasCost = usage === null || usage.summary.totals.usd !== null;
  return measures.find((measure) => measure === written) ?? (hasCost ? "usd" : "requests");
}

export interface UsageTile {
  measure: Exclude<Measure, "tokens">;
  value: string;
  notes: string[];
}

/** Return the tiles: each figure with its change against the period before, where both are whole. */
export function tilesOf(usage: Usage): UsageTile[] {
  const { summary, before, failures } = usage;
  const { totals } = summary;
  const isLeast = isLowerBound(usage);
  const isComparable = !isLeast && !isLowerBound({ ...usage, summary: before });
  const against = (now: number | null | undefined, then: number | null | undefined) => {
    const change = isComparable ? changeText(now, then) : "";
    return change ? [text("usage.against_before", { change })] : [];
  };
  const [worst] = failures.accounts;
  return [
    {
      measure: "usd",
      value: costOf(totals, isLeast),
      notes: [
        ...against(Number(totals.usd), Number(before.totals.usd)),
        ...(totals.unpriced ? [text("usage.unpriced", { n: totals.unpriced })] : []),
      ],
    },
    {
      measure: "requests",
      value: leastCount(totals.requests, isLeast),
      notes: [...against(totals.requests, before.totals.requests), tokensText(totals, isLeast)],
    },
    {
      measure: "failed",
      value: formatPercent(shareOf(totals.failed, totals.requests)),
      notes: [
        leastRequests(totals.failed, isLeast),
        ...(worst ? [text("usage.mostly", { name: worst.label || worst.name || text("usage.no_name") })] : []),
      ],
    },
    {
      measure: "latency",
      value: `${formatLatency(totals.latency?.p50)} / ${formatLatency(totals.latency?.p95)}`,
      notes: ["p50 / p95", ...against(totals.latency?.p50, before.totals.latency?.p50)],
    },
  ];
}

function leastRequests(n: number, isLeast: boolean): string {
  return (isLeast ? LEAST : "") + text("count.requests", { n });
}

function tokensText({ tokens: { total } }: FiguresView, isLeast: boolean): string {
  return text("usage.n_tokens", { n: total, tokens: leastShort(total, isLeast) });
}

function shareOf(part: number, whole: number): number {
  return whole ? (100 * part) / whole : 0;
}

export interface Rank {
  name: string;
  label: string;
  figures: FiguresView;
  value: string;
  /** Percent of the whole; null where the whole has no sum, as latencies. */
  share: number | null;
  /** Percent of the largest. */
  length: number;
}

/** Return the groups of a period, the largest by the measure first. */
export function ranksOf(usage: Usage, measure: Measure): Rank[] {
  const { groups, totals } = usage.summary;
  const isLeast = isLowerBound(usage);
  const sorted = [...groups].sort((a, b) => amountOf(b, measure) - amountOf(a, measure));
  const most = Math.max(...sorted.map((group) => amountOf(group, measure)), 0);
  const whole = amountOf({ figures: totals }, measure);
  return sorted.map((group) => {
    const amount = amountOf(group, measure);
    return {
      ...group,
      value: amountText(group.figures, measure, isLeast),
      share: measure === "latency" || !whole ? null : shareOf(amount, whole),
      length: shareOf(amount, most),
    };
  });
}

function amountOf({ figures }: Pick<GroupView, "figures">, measure: Measure): number {
  if (measure === "tokens") return figures.tokens.total;
  if (measure === "latency") return figures.latency?.p95 ?? 0;
  return Number(figures[measure] ?? 0);
}

function amountText(figures: FiguresView, measure: Measure, isLeast: boolean): string {
  if (measure === "usd") return costOf(figures, isLeast);
  if (measure === "tokens") return leastShort(figures.tokens.total, isLeast);
  if (measure === "latency") return formatLatency(figures.latency?.p95);
  return leastCount(figures[measure], isLeast);
}

/** Return what else is to know of a group. */
export function rankNote({ figures }: Rank, isLeast: boolean): string {
  const { requests, failed, latency } = figures;
  return [
    leastRequests(requests, isLeast),
    text("usage.n_failed_short", { failed: leastCount(failed, isLeast) }),
    tokensText(figures, isLeast),
    `p95 ${formatLatency(latency?.p95)}`,
  ].join(" · ");
}

/** Return failed requests of an account with their share. */
export function failedText({ requests, failed }: FailingAccountView, isLeast: boolean): string {
  return `${leastCount(failed, isLeast)} (${formatPercent(shareOf(failed, requests))})`;
}

/** Return the state of the collection, and whether a person has to act on it. */
export function collectionState(collection: CollectionAnswer): {
  words: string;
  isTrouble: boolean;
  canRecord: boolean;
} {
  const { supported, recording, problem, problems, source, coveredUntil } = collection;
  const details = reasonsText(problems, problem).slice(0, LONGEST_PROBLEM);
  const time = formatTime(coveredUntil);
  const canRecord = supported && recording === false;
  if (!supported) return { words: text("usage.unsupported", { problem: details }), isTrouble: true, canRecord };
  if (problem) return { words: text("usage.trouble", { problem: details }), isTrouble: true, canRecord };
  if (canRecord) return { words: text("usage.not_recording"), isTrouble: true, canRecord };
  const words = text(source === "subscription" ? "usage.by_subscription" : "usage.by_queue", { time });
  return { words, isTrouble: false, canRecord };
}
