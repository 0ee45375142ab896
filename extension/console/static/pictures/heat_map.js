/** Heat map of a week by hour: color and size of a square say how much. Pure. */

import { box, label } from "./drawing.js";
import { drawable } from "./scale.js";

/** @import { Drawing, Mark, Spot } from "./drawing.js" */

/** Levels above nothing. */
export const LEVELS = 5;
const HOUR_MARKS = 6;
const BELOW = 20;
/** Height of a line of its labels: rows that are lower would print their names into each other. */
const LEAST_HEIGHT = 15;
const MOST_HEIGHT = 24;
const LETTER = 6.4;

/**
 * Return the level of a value: 0 for nothing, else 1 to `LEVELS`.
 *
 * @param {number} value
 * @param {number} most
 */
export function levelOf(value, most) {
  if (drawable(value) === 0 || drawable(most) === 0) return 0;
  return Math.min(LEVELS, Math.max(1, Math.ceil(drawable(value) / drawable(most) * LEVELS)));
}

/**
 * @typedef {object} Heat
 * @property {readonly (readonly number[])[]} rows of equal length
 * @property {readonly string[]} rowNames
 * @property {readonly string[]} columnNames
 * @property {(value: number, row: number, column: number) => string} format
 */

/**
 * Draw the map; its height follows from the number of rows.
 *
 * @param {Heat} heat
 * @param {{width: number}} size
 * @returns {Drawing}
 */
export function drawHeatMap({ rows, rowNames, columnNames, format }, { width }) {
  const left = Math.max(0, ...rowNames.map((name) => name.length)) * LETTER * 1.25 + 8;
  const columns = columnNames.length;
  const cell = Math.max((width - left) / Math.max(columns, 1), 1);
  const height = Math.min(Math.max(cell, LEAST_HEIGHT), MOST_HEIGHT);
  const most = Math.max(0, ...rows.flat());
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Spot[]} */
  const spots = [];
  rows.forEach((row, line) => {
    const y = line * height;
    marks.push(label(0, y + height / 2 + 4, rowNames[line], "start"));
    row.forEach((value, column) => {
      const x = left + column * cell;
      const level = levelOf(value, most);
      const share = level === 0 ? 0.3 : 0.4 + 0.5 * level / LEVELS;
      const [wide, high] = [cell * share, height * share];
      marks.push(box(x + (cell - wide) / 2, y + (height - high) / 2, wide, high, `heat-${level}`));
      spots.push({
        x, y, width: cell, height, label: `${rowNames[line]}, ${columnNames[column]}`,
        text: format(value, line, column),
      });
    });
  });
  const end = rows.length * height;
  columnNames.forEach((name, column) => {
    if (column % HOUR_MARKS === 0) marks.push(label(left + column * cell, end + 14, name, "start"));
  });
  return { width, height: end + BELOW, marks, spots, stride: columns };
}
