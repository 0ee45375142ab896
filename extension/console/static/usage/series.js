/** Series of usage as pictures. Pure. */

import { text } from "../language/catalogue.js";
import { costOf, formatShort, formatUsd, leastCount } from "./amounts.js";
import { partNames, touchesGap } from "./periods.js";

/** @import { FiguresView, SummaryAnswer } from "../../_generated_types.js" */
/** @import { SeriesPicture } from "../pictures/columns.js" */
/** @import { Step } from "./periods.js" */

/** Groups that have a color of their own; the others are one. */
export const MOST_GROUPS = 7;

/** @typedef {"requests" | "tokens" | "cost"} Measure */

/**
 * @param {FiguresView | undefined} figures
 * @param {Measure} measure
 */
function valueOf(figures, measure) {
  if (!figures) return 0;
  if (measure === "requests") return figures.requests;
  return measure === "tokens" ? figures.tokens.total : Number(figures.usd ?? 0);
}

/**
 * @param {FiguresView | undefined} figures
 * @param {Measure} measure
 * @param {boolean} partial
 */
function wordsOf(figures, measure, partial) {
  if (!figures) return measure === "cost" ? formatUsd(0) : leastCount(0, partial);
  if (measure === "cost") {
    const cost = costOf(figures);
    return partial && !cost.startsWith("≥") && figures.usd !== null ? `≥ ${cost}` : cost;
  }
  return leastCount(valueOf(figures, measure), partial);
}

/**
 * Turn a summary into stacked columns: one color for each of the first groups, the others together, or one for all.
 *
 * @param {SummaryAnswer} summary
 * @param {Measure} measure
 * @param {Step} step
 * @param {(start: number, end: number) => string} href
 * @returns {SeriesPicture}
 */
export function seriesOf(summary, measure, step, href) {
  const named = summary.groups.slice(0, MOST_GROUPS);
  const rest = named.length > 0 && (summary.groups.length > named.length || summary.leftOff > 0);
  const names = named.length ? named.map(({ name, label }) => label || name || text("usage.no_name")) : [""];
  if (rest) names.push(text("usage.others"));
  const points = summary.series.map((part) => {
    const gap = touchesGap(part, summary.gaps);
    const whole = valueOf(part.figures, measure);
    const values = named.length ? named.map(({ name }) => valueOf(part.groups[name], measure)) : [whole];
    const texts = named.length
      ? named.map(({ name }) => wordsOf(part.groups[name], measure, gap)) : [wordsOf(part.figures, measure, gap)];
    if (rest) {
      const others = Math.max(0, whole - values.reduce((sum, each) => sum + each, 0));
      values.push(others);
      texts.push(measure === "cost" ? formatUsd(others) : leastCount(others, gap));
    }
    return { ...partNames(part.start, step), values, texts, gap, href: href(part.start, part.end) };
  });
  return {
    points,
    series: names.map((name, index) => ({ name, fill: { tone: String(index + 1), pattern: index } })),
    format: measure === "cost" ? formatUsd : formatShort,
    whole: measure !== "cost",
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
  const names = series.map(({ name }) => name || title);
  return {
    head: [text("usage.time"), ...names, text("picture.records")],
    rows: points.map(({ label, texts, gap }) => [
      label, ...texts, gap ? text("picture.gap") : text("picture.complete"),
    ]),
  };
}
