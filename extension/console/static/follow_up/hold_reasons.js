import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { holdText } from "../language/reasons.js";

/**
 * Reasons of changes on hold, the most frequent first, each with its number where there are several.
 *
 * @template {import("../language/reasons.js").Reason} T
 * @param {T[]} held
 * @param {(each: T) => string} written sentence of the service
 */
export function holdReasons(held, written) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const each of held) {
    const reason = holdText(each, written(each));
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (counts.size === 1) return [...counts.keys()][0];
  const ordered = [...counts].sort(([, one], [, other]) => other - one);
  return element("div", {}, ...ordered.map(([reason, n]) =>
    element("p", { text: text("hold.counted", { count: text("count.accounts", { n }), reason }) })));
}
