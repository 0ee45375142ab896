import { formatCount } from "../formatting.js";
import { text } from "../language/catalogue.js";

/**
 * @typedef {{total: number | null, isWhole: boolean}} Extent number of rows, those included that are still read; null
 *     before it is known; and whether all of them are here
 */

/** Stands for a number that is not known yet. */
export const UNKNOWN_COUNT = "–";

/**
 * Say how many rows are shown. The first of many do not tell how many of all pass the filters.
 *
 * @param {number} shown
 * @param {Extent} extent
 * @param {boolean} isFiltered
 */
export function extentText(shown, { total, isWhole }, isFiltered) {
  if (total === null || (!isWhole && isFiltered)) return UNKNOWN_COUNT;
  if (shown === total) return formatCount(total);
  return text("results.count", { shown: formatCount(shown), all: formatCount(total) });
}
