/** Scales of pictures: round ticks, and places of values along an axis. Pure. */

const STEPS = /** @type {const} */ ([1, 2, 2.5, 5, 10]);
/** Values beyond this one are drawn as this one, so that no sum of places overflows. */
const LARGEST = 1e300;

/**
 * Return the value as a finite number from 0 on.
 *
 * @param {number | null | undefined} value
 */
export function drawable(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return 0;
  return Math.min(Math.max(value, 0), LARGEST);
}

/**
 * Return round ticks from 0 to a number at or above the largest value. Without values above 0 the axis ends at 1.
 *
 * @param {number} most largest value
 * @param {number} [count] steps at most
 * @param {boolean} [whole] steps are whole numbers
 * @returns {number[]}
 */
export function ticks(most, count = 4, whole = false) {
  const top = drawable(most);
  if (top === 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(top / count));
  const wanted = top / count / power;
  const factor = STEPS.find((each) => each >= wanted - 1e-9) ?? 10;
  const step = whole ? Math.max(1, Math.ceil(factor * power - 1e-9)) : factor * power;
  const steps = Math.max(1, Math.ceil(top / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/**
 * Return the place of a value on an axis, 0 at its beginning.
 *
 * @param {number | null | undefined} value
 * @param {number} top value at the end of the axis
 * @param {number} length of the axis
 */
export function placed(value, top, length) {
  return top > 0 ? Math.min(drawable(value) / top, 1) * length : 0;
}
