import { element } from "../dom.js";
import { text } from "../language/catalogue.js";

/**
 * Count the reasons of the changes on hold at one host, the most frequent first; one reason alone needs no number.
 *
 * @param {readonly string[]} reasons the reason of each change
 * @returns {string[]}
 */
export function countedReasons(reasons) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (counts.size < 2) return [...counts.keys()];
  return [...counts].sort(([, one], [, other]) => other - one)
    .map(([reason, n]) => text("hold.counted", { n, reason }));
}

/**
 * Cell of the reasons on hold at one host.
 *
 * @param {readonly string[]} reasons the reason of each change
 */
export function holdReasons(reasons) {
  return element("div", {}, ...countedReasons(reasons).map((reason) => element("div", { text: reason })));
}
