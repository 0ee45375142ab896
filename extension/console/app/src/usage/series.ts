/** Series of usage as a chart draws them. Pure. */

import type { PointsView, SeriesAnswer } from "../connection/api.js";
import { formatShort, formatUsd } from "../language/amounts.js";
import { text } from "../language/catalogue.js";
import { formatLatency } from "../language/formats.js";
import type { ChartSeries } from "../parts/chart/chart.js";
import type { ColorBook } from "../parts/color_book.js";
import type { Shown } from "./selection.js";

/** Groups that have a color of their own; the others are one. */
export const MOST_GROUPS = 7;
export const MEASURES = ["usd", "requests", "tokens", "failed", "latency"] as const;
export type Measure = (typeof MEASURES)[number];
type Counted = Exclude<Measure, "latency">;

/** Turn an answer into series: one for each of the largest groups, in the color of its name, and one for the rest. */
export function seriesOf(answer: SeriesAnswer, measure: Counted, shown: Shown, colors: ColorBook): ChartSeries[] {
  const named = answer.groups.slice(0, MOST_GROUPS);
  if (!named.length) return [pointsSeries(text(`usage_measure.${measure}`), "c1", answer.totals, measure)];
  const series = named.map(({ name, label, points }) =>
    pointsSeries(shown(name, label), colors[name] ?? "c7", points, measure),
  );
  const hasRest = answer.groups.length > named.length || answer.leftOff > 0;
  return hasRest ? [...series, restOf(answer, measure, series)] : series;
}

function pointsSeries(name: string, color: ChartSeries["color"], points: PointsView, measure: Counted): ChartSeries {
  const values = points.requests.map((_, index) => valueOf(points, measure, index));
  return { name, color, values, partial: measure === "usd" ? points.partial : undefined };
}

/** Return requests that failed, which stand on top, and those that succeeded. */
export function outcomeSeries({ totals: { requests, failed } }: SeriesAnswer): ChartSeries[] {
  return [
    { name: text("usage.failed"), color: "dead", values: failed },
    { name: text("usage.success"), color: "c1", values: requests.map((count, index) => count - failed[index]) },
  ];
}

export function latencySeries({ totals: { p50, p95 } }: SeriesAnswer): ChartSeries[] {
  return [
    { name: "p50", color: "c1", values: p50 },
    { name: "p95", color: "c3", values: p95 },
  ];
}

export function formatOf(measure: Measure): (value: number) => string {
  if (measure === "latency") return formatLatency;
  return measure === "usd" ? formatUsd : formatShort;
}

function valueOf(points: PointsView, measure: Counted, index: number): number | null {
  if (measure !== "usd") return points[measure][index];
  const amount = points.usd[index];
  if (amount === null) return points.requests[index] ? null : 0;
  return Number(amount);
}

function restOf(answer: SeriesAnswer, measure: Counted, series: readonly ChartSeries[]): ChartSeries {
  const values = answer.starts.map((_, index) => {
    const sum = series.reduce((total, { values: ofGroup }) => total + (ofGroup[index] ?? 0), 0);
    return Math.max(0, (valueOf(answer.totals, measure, index) ?? 0) - sum);
  });
  return {
    name: text("usage.others"),
    color: "unknown",
    values,
    partial: measure === "usd" ? answer.totals.partial : undefined,
  };
}
