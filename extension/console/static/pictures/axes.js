/** Frame of a picture over time: value axis on the left, marks below, and hatched gaps. Pure. */

import { box, label, short } from "./drawing.js";
import { placed, ticks } from "./scale.js";

/** @import { Mark, Point, Spot } from "./drawing.js" */

const LETTER = 6.4;
const ABOVE = 8;
const BELOW = 22;

/**
 * Room of a plot within its picture.
 *
 * @typedef {object} Plot
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {number} step width of one point
 * @property {number} most value at the upper end
 * @property {Mark[]} marks
 */

/**
 * Lay out the axes for points whose largest value is `most`.
 *
 * @param {readonly Point[]} points
 * @param {number} most
 * @param {{width: number, height: number}} size
 * @param {{format: (value: number) => string, whole?: boolean}} axis
 * @returns {Plot}
 */
export function plotOf(points, most, size, { format, whole = false }) {
  const values = ticks(most, 4, whole);
  const names = values.map(format);
  const left = Math.min(size.width / 3, Math.max(...names.map((name) => name.length)) * LETTER + 10);
  const width = Math.max(size.width - left - 4, (size.width - left) / 2);
  const above = Math.min(ABOVE, size.height / 4);
  const height = Math.max(size.height - above - BELOW, size.height / 2);
  const top = values[values.length - 1];
  /** @type {Mark[]} */
  const marks = [];
  values.forEach((value, index) => {
    const y = short(above + height - placed(value, top, height));
    marks.push({ tag: "line", attributes: { class: "rule", x1: short(left), x2: short(left + width), y1: y, y2: y } });
    marks.push(label(left - 6, y + 4, names[index], "end"));
  });
  const plot = { left, top: above, width, height, step: width / Math.max(points.length, 1), most: top, marks };
  marks.push(...bottomMarks(points, plot));
  points.forEach((point, index) => {
    if (point.gap) marks.push(box(plot.left + index * plot.step, plot.top, plot.step, plot.height, "gap"));
  });
  return plot;
}

/**
 * @param {readonly Point[]} points
 * @param {Omit<Plot, "marks">} plot
 * @returns {Mark[]}
 */
function bottomMarks(points, plot) {
  const y = plot.top + plot.height + 16;
  /** @type {Mark[]} */
  const marks = [];
  let taken = -Infinity;
  points.forEach(({ mark }, index) => {
    const half = mark.length * LETTER / 2;
    const middle = plot.left + (index + 0.5) * plot.step;
    const x = Math.min(Math.max(middle, half), plot.left + plot.width - half);
    // A name is written once, where it begins, and only with room on both sides.
    if (mark === points[index - 1]?.mark || x - half < taken + LETTER) return;
    marks.push(label(x, y, mark));
    taken = x + half;
  });
  return marks;
}

/**
 * Return the readable areas of a plot, one for each point over its full height.
 *
 * @param {readonly Point[]} points
 * @param {readonly string[]} names of the series
 * @param {Plot} plot
 * @param {string} gapText added where records may be missing
 * @returns {Spot[]}
 */
export function spotsOf(points, names, plot, gapText) {
  return points.map((point, index) => ({
    x: plot.left + index * plot.step,
    y: plot.top,
    width: plot.step,
    height: plot.height,
    label: point.label,
    text: readingOf(point, names, gapText),
    href: point.href,
  }));
}

/**
 * Return the values of a point in words.
 *
 * @param {Point} point
 * @param {readonly string[]} names
 * @param {string} gapText
 */
export function readingOf(point, names, gapText) {
  const said = names.length === 1 && !names[0]
    ? [point.texts[0]] : names.map((name, index) => `${name}: ${point.texts[index]}`);
  return [...said, ...(point.gap ? [gapText] : [])].join(" · ");
}
