/** Series of usage as pictures. Pure. */

import { text } from "../language/catalogue.js";
import { formatMs, formatShort, formatUsd, leastCount, UNKNOWN } from "./amounts.js";
import { partNames, touchesGap } from "./periods.js";

/** @import { PointsView, SeriesAnswer } from "../../_generated_types.js" */
/** @import { SeriesPicture } from "../pictures/columns.js" */
/** @import { Point } from "../pictures/drawing.js" */

/** Groups that have a color of their own; the others are one. */
export const MOST_GROUPS = 7;
const DAY = 24 * 3_600_000;

/** @typedef {"requests" | "failed" | "tokens" | "usd"} Measure */
/** @typedef {(start: number, end: number) => string} Href */

/**
 * @param {PointsView} points
 * @param {Measure} measure
 * @param {number} index
 */
function valueOf(points, measure, index) {
  if (measure !== "usd") return points[measure][index];
  const amount = points.usd[index];
  if (amount === null) return points.requests[index] ? null : 0;
  return Number(amount);
}

/**
 * @param {number | null} value
 * @param {Measure} measure
 * @param {boolean} partial
 */
function said(value, measure, partial) {
  if (value === null) return measure === "usd" ? text("requests.unknown") : UNKNOWN;
  return measure === "usd" ? `${partial ? "≥ " : ""}${formatUsd(value)}` : leastCount(value, partial);
}

/**
 * Return the frame of all points: their names, links and gaps.
 *
 * @param {SeriesAnswer} answer
 * @param {Href} href
 * @returns {Omit<Point, "values" | "texts">[]}
 */
function places({ starts, end, gaps, length }, href) {
  const manyDays = starts.length > 0 && end - starts[0] > 2 * DAY;
  return starts.map((start, index) => {
    const part = { start, end: starts[index + 1] ?? end };
    return { ...partNames(start, length, manyDays), gap: touchesGap(part, gaps), href: href(part.start, part.end) };
  });
}

/**
 * Turn series into stacked columns: one color for each of the largest groups and one for the rest, or one for all.
 *
 * @param {SeriesAnswer} answer
 * @param {Measure} measure
 * @param {Href} href
 * @param {(name: string, label: string) => string} shown name of a group
 * @returns {SeriesPicture}
 */
export function columnsOf(answer, measure, href, shown) {
  const named = answer.groups.slice(0, MOST_GROUPS);
  const hasRest = named.length > 0 && (answer.groups.length > named.length || answer.leftOff > 0);
  const names = named.length ? named.map(({ name, label }) => shown(name, label)) : [""];
  if (hasRest) names.push(text("usage.others"));
  const parts = named.length ? named.map(({ points }) => points) : [answer.totals];
  const points = places(answer, href).map((place, index) => {
    const values = parts.map((part) => valueOf(part, measure, index));
    const texts = values.map((value, each) => said(
      value, measure, Boolean(place.gap) || (measure === "usd" && parts[each].partial[index])));
    if (hasRest) {
      const sum = values.reduce((/** @type {number} */ total, value) => total + (value ?? 0), 0);
      const rest = Math.max(0, (valueOf(answer.totals, measure, index) ?? 0) - sum);
      values.push(rest);
      texts.push(said(rest, measure, Boolean(place.gap) || (measure === "usd" && answer.totals.partial[index])));
    }
    return { ...place, values, texts };
  });
  return {
    points,
    series: names.map((name, index) => ({ name, fill: { tone: String(index + 1), pattern: index } })),
    format: measure === "usd" ? formatUsd : formatShort,
    whole: measure !== "usd",
    gapText: text("picture.gap"),
  };
}

/**
 * Turn the latencies of series into two lines.
 *
 * @param {SeriesAnswer} answer
 * @param {Href} href
 * @returns {SeriesPicture}
 */
export function latencyLines(answer, href) {
  const { p50, p95 } = answer.totals;
  return {
    points: places(answer, href).map((place, index) => ({
      ...place, values: [p50[index], p95[index]], texts: [formatMs(p50[index]), formatMs(p95[index])],
    })),
    series: [
      { name: "p50", fill: { tone: "1", pattern: 0 } },
      { name: "p95", fill: { tone: "2", pattern: 1 } },
    ],
    format: formatMs,
    gapText: text("picture.gap"),
  };
}

/**
 * Return the table of a picture with points.
 *
 * @param {SeriesPicture} picture
 * @param {string} title of the values where there is one series
 */
export function tableOf({ points, series }, title) {
  return {
    head: [text("usage.time"), ...series.map(({ name }) => name || title), text("picture.records")],
    rows: points.map(({ label, texts, gap }) => [
      label, ...texts, gap ? text("picture.gap") : text("picture.complete"),
    ]),
  };
}
