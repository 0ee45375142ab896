/** Parts that all pictures are made of, and the limit of what one picture draws. Pure. */

/** Points that one picture draws at most: the newest ones. */
export const MOST_POINTS = 400;

/**
 * One place of a series, such as an hour. `texts` are the values in words, `gap` marks missing records.
 *
 * @typedef {object} Point
 * @property {string} label name of the place as read aloud and in the table
 * @property {string} mark name of the place at the axis
 * @property {(number | null)[]} values one of each series; null is unknown
 * @property {string[]} texts
 * @property {boolean} [gap]
 * @property {string} [href]
 */

/**
 * Color and pattern of an area or line; two kinds never share both.
 *
 * @typedef {object} Fill
 * @property {string} tone `1` to `8`, or `good`, `caution`, `bad`, `neutral`
 * @property {number} pattern
 */

/**
 * One SVG element.
 *
 * @typedef {object} Mark
 * @property {"rect" | "path" | "circle" | "text" | "line"} tag
 * @property {Record<string, string | number>} attributes
 * @property {string} [text]
 * @property {Fill} [fill] of an area
 */

/**
 * Area of one value that can be read with the arrow keys or the pointer.
 *
 * @typedef {object} Spot
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {string} label
 * @property {string} text
 * @property {string} [href]
 */

/**
 * A finished picture. `stride` is the number of spots in a row: the up and down keys move by it.
 *
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {Mark[]} marks
 * @property {Spot[]} spots
 * @property {number} stride
 */

/**
 * @template T
 * @param {readonly T[]} points
 * @returns {T[]}
 */
export function limited(points) {
  return points.slice(-MOST_POINTS);
}

/**
 * Return a number with at most two decimals, short enough for thousands of attributes.
 *
 * @param {number} number
 */
export function short(number) {
  return Math.round(number * 100) / 100;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} [name] class
 * @returns {Mark}
 */
export function box(x, y, width, height, name = "area") {
  return {
    tag: "rect",
    attributes: { class: name, x: short(x), y: short(y), width: short(Math.max(width, 0)), height: short(height) },
  };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {"start" | "middle" | "end"} [anchor]
 * @returns {Mark}
 */
export function label(x, y, text, anchor = "middle") {
  return { tag: "text", text, attributes: { class: "axis", x: short(x), y: short(y), "text-anchor": anchor } };
}
