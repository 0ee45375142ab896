/** Reading of a picture with the keys and the pointer. Pure. */

/** @import { Spot } from "./drawing.js" */

/**
 * Return the index of the spot that a key moves to, or null when the key is none of the picture's.
 *
 * @param {string} key
 * @param {number} index of now
 * @param {number} count
 * @param {number} stride
 * @returns {number | null}
 */
export function movedTo(key, index, count, stride) {
  /** @type {Record<string, number>} */
  const places = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: index + stride,
    ArrowUp: index - stride,
    Home: 0,
    End: count - 1,
    PageDown: index + Math.max(stride, 10),
    PageUp: index - Math.max(stride, 10),
  };
  if (!(key in places) || count === 0) return null;
  return Math.min(Math.max(places[key], 0), count - 1);
}

/**
 * Return the index of the spot at a place, or -1.
 *
 * @param {readonly Spot[]} spots
 * @param {number} x
 * @param {number} y
 */
export function spotAt(spots, x, y) {
  return spots.findIndex((spot) => (
    x >= spot.x && x < spot.x + spot.width && y >= spot.y && y < spot.y + spot.height
  ));
}
