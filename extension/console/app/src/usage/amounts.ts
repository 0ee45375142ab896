/** Sums of usage in words: lower bounds, costs and changes. Pure. */

import type { FiguresView, GapView, SummaryAnswer } from "../connection/api.js";
import { formatShort, formatUsd, LEAST } from "../language/amounts.js";
import { text } from "../language/catalogue.js";
import { formatCount, formatDecimal, formatTime } from "../language/formats.js";

const HOUR = 3_600_000;
const MOST_PERCENT = 999;

export type Sum = Pick<FiguresView, "requests" | "usd" | "unpriced">;

/** Format a count that records may be missing from. */
export function leastCount(count: number, isPartial: boolean): string {
  return (isPartial ? LEAST : "") + formatCount(count);
}

export function leastShort(count: number, isPartial: boolean): string {
  return (isPartial ? LEAST : "") + formatShort(count);
}

/** Format the cost of requests: unknown where none has a price, a lower bound where some have none. */
export function costOf({ usd, unpriced, requests }: Sum, isPartial = false): string {
  const least = isPartial || unpriced > 0 ? LEAST : "";
  if (requests === 0) return least + formatUsd(0);
  // What is known to be free, such as a refusal, beside what has no price: zero would be no bound worth a look.
  if (usd === null || (unpriced > 0 && Number(usd) === 0)) return text("requests.unknown");
  return least + formatUsd(usd);
}

/** Return a change in percent, such as "+12 %"; empty where there is nothing to compare with, or next to nothing. */
export function changeText(now: number | null | undefined, before: number | null | undefined): string {
  if (now === null || now === undefined || !before) return "";
  const percent = Math.round((100 * (now - before)) / before);
  if (Math.abs(percent) > MOST_PERCENT) return "";
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${formatDecimal(Math.abs(percent), 0)} %`;
}

type Bounds = Pick<SummaryAnswer, "gaps" | "prunedBefore" | "start">;

/**
 * Return whether sums leave requests out: those of a gap, and those whose single records were removed, of which only
 * whole hours by one name are kept.
 */
export function leavesOut({ gaps, ...pruned }: Bounds, by: string, filters: Record<string, string>): boolean {
  return gaps.length > 0 || leavesPrunedOut(pruned, by, filters);
}

function leavesPrunedOut(
  { prunedBefore, start }: Omit<Bounds, "gaps">,
  by: string,
  filters: Record<string, string>,
): boolean {
  if (prunedBefore <= start) return false;
  const names = new Set([...Object.keys(filters), ...(by === "none" ? [] : [by])]);
  return names.size > 1 || "failed" in filters || start % HOUR !== 0;
}

/** Return the reasons why sums are lower bounds, and what of the period is not known. */
export function boundTexts(summary: Bounds, by: string, filters: Record<string, string>): string[] {
  const unrecorded = summary.gaps.reduce((sum, gap) => sum + unrecordedOf(gap), 0);
  const { prunedBefore, start } = summary;
  const time = formatTime(prunedBefore);
  return [
    ...(summary.gaps.length ? [text("usage.gaps", { n: summary.gaps.length })] : []),
    ...(unrecorded ? [text("usage.unrecorded", { n: unrecorded })] : []),
    ...(prunedBefore > start ? [text("usage.pruned", { time })] : []),
    ...(leavesPrunedOut(summary, by, filters) ? [text("usage.pruned_left_out")] : []),
  ];
}

function unrecordedOf({ kind, missing }: GapView): number {
  return kind === "unrecorded" ? (missing ?? 0) : 0;
}
