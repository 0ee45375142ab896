/** Strip of equal cells, such as the last results of an account, oldest first. Pure. */

import { box } from "./drawing.js";

/** @import { Drawing } from "./drawing.js" */
/** @import { Part } from "./stacked_bar.js" */

const GAP = 1;

/**
 * Draw the strip; missing cells at its beginning stay empty, so that strips of several accounts line up.
 *
 * @param {readonly Omit<Part, "value">[]} cells
 * @param {{width: number, height: number}} size
 * @param {number} [count] cells in a full strip
 * @returns {Drawing}
 */
export function drawStrip(cells, size, count = 20) {
  const shown = cells.slice(-count);
  const width = size.width / count;
  const first = count - shown.length;
  const empty = Array.from({ length: first }, (_, index) => (
    box(index * width, size.height / 2 - 1, Math.max(width - GAP, 0.5), 2, "empty-cell")
  ));
  const filled = shown.map((cell, index) => ({
    ...box((first + index) * width, 0, Math.max(width - GAP, 0.5), size.height), fill: cell.fill,
  }));
  const spots = shown.map((cell, index) => ({
    x: (first + index) * width, y: 0, width, height: size.height, label: cell.name, text: cell.text, href: cell.href,
  }));
  return { ...size, marks: [...empty, ...filled], spots, stride: 1 };
}
