/** Stacked columns over time. Pure. */

import { plotOf, spotsOf } from "./axes.js";
import { box, limited } from "./drawing.js";
import { drawable, placed } from "./scale.js";

/** @import { Drawing, Fill, Point } from "./drawing.js" */

const WIDEST = 48;

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {Fill} fill
 */

/**
 * Points of several series and the texts of their axes.
 *
 * @typedef {object} SeriesPicture
 * @property {Point[]} points
 * @property {Series[]} series
 * @property {(value: number) => string} format of a tick
 * @property {boolean} [whole] the values are counts
 * @property {string} gapText
 */

/**
 * Draw each point as one column, its values on top of each other.
 *
 * @param {SeriesPicture} picture
 * @param {{width: number, height: number}} size
 * @returns {Drawing}
 */
export function drawColumns(picture, size) {
  const points = limited(picture.points);
  const sums = points.map(({ values }) => values.reduce((/** @type {number} */ sum, each) => sum + drawable(each), 0));
  const plot = plotOf(points, Math.max(0, ...sums), size, picture);
  const width = Math.min(plot.step * 0.8, WIDEST);
  const marks = [...plot.marks];
  points.forEach((point, index) => {
    const x = plot.left + (index + 0.5) * plot.step - width / 2;
    let y = plot.top + plot.height;
    point.values.forEach((value, place) => {
      // Sums beyond the largest number that is drawn end at the upper edge.
      const height = Math.min(placed(value, plot.most, plot.height), y - plot.top);
      if (height <= 0) return;
      y -= height;
      marks.push({ ...box(x, y, width, height), fill: picture.series[place].fill });
    });
  });
  const names = picture.series.map(({ name }) => name);
  return { ...size, marks, spots: spotsOf(points, names, plot, picture.gapText), stride: 1 };
}
