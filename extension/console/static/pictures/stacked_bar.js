/** One horizontal bar of parts, each as wide as its share. Pure. */

import { box } from "./drawing.js";
import { drawable } from "./scale.js";

/** @import { Drawing, Fill, Mark, Spot } from "./drawing.js" */

const NARROWEST = 3;

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {number} value
 * @property {string} text value in words
 * @property {Fill} fill
 * @property {string} [href]
 */

/**
 * Return the width of each part: in proportion, but none above 0 narrower than can be seen.
 *
 * @param {readonly number[]} values
 * @param {number} width
 * @param {number} [narrowest]
 * @returns {number[]}
 */
export function widths(values, width, narrowest = NARROWEST) {
  const sizes = values.map(drawable);
  const sum = sizes.reduce((total, each) => total + each, 0);
  if (sum <= 0) return sizes.map(() => 0);
  const least = Math.min(narrowest, width / sizes.length);
  const small = sizes.filter((each) => each > 0 && each / sum * width < least).length;
  const large = sizes.filter((each) => each / sum * width >= least).reduce((total, each) => total + each, 0);
  return sizes.map((each) => {
    if (each <= 0) return 0;
    return each / sum * width < least ? least : each / large * (width - small * least);
  });
}

/**
 * Draw the bar.
 *
 * @param {readonly Part[]} parts
 * @param {{width: number, height: number}} size
 * @returns {Drawing}
 */
export function drawStackedBar(parts, size) {
  const found = widths(parts.map(({ value }) => value), size.width);
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Spot[]} */
  const spots = [];
  let x = 0;
  parts.forEach((part, index) => {
    const width = found[index];
    if (width <= 0) return;
    marks.push({ ...box(x, 0, width, size.height, "area part"), fill: part.fill });
    spots.push({ x, y: 0, width, height: size.height, label: part.name, text: part.text, href: part.href });
    x += width;
  });
  return { ...size, marks, spots, stride: 1 };
}
