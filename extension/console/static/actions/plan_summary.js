import { element } from "../dom.js";
import { text, tokenText } from "../language/catalogue.js";

/**
 * @import { Plan } from "./change_plan.js"
 */

const HEALTHY = "healthy";

/**
 * Summary above a plan: how many of each status are changed, a warning where healthy ones are lost, and how many are
 * not changed; of one account its status, and why it is on hold. The lists below may be longer than the screen.
 *
 * @param {Plan} plan
 * @param {"disable" | "enable" | "delete"} action
 * @returns {HTMLElement[]}
 */
export function planSummary({ groups, left, held = 0, hold = "" }, action) {
  const changed = groups.flatMap(({ accounts }) => accounts);
  if (changed.length + left.length < 2) return singleSummary(changed, hold);
  const nodes = [];
  const counts = countStatuses(changed);
  if (changed.length) {
    const parts = [...counts].sort(([, one], [, other]) => other - one)
      .map(([status, n]) => text("plan.counted", { n, outcome: tokenText("status", status) }));
    nodes.push(element("p", { text: text("plan.by_status", { counts: parts.join(", ") }) }));
  }
  const healthy = counts.get(HEALTHY);
  if (healthy && action !== "enable") {
    nodes.push(element("div", { class: "problem", attributes: { role: "note" } },
      element("p", { text: text(`plan.healthy_${action}`, { n: healthy }) })));
  }
  if (left.length) {
    const key = held ? "plan.left_total_held" : "plan.left_total";
    nodes.push(element("p", { text: text(key, { n: left.length, held }) }));
  }
  return nodes;
}

/**
 * Status of the one account that is changed, and why it is on hold.
 *
 * @param {import("./change_plan.js").Account[]} changed
 * @param {string} hold
 */
function singleSummary(changed, hold) {
  const said = changed.map(({ lastResult }) =>
    text("plan.account_status", { status: tokenText("status", lastResult?.verdict || "none") }));
  if (hold) said.push(text("plan.held_anyway", { reason: hold }));
  return said.map((each) => element("p", { text: each }));
}

/**
 * @param {import("./change_plan.js").Account[]} accounts
 * @returns {Map<string, number>} accounts by the status of the last check
 */
function countStatuses(accounts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { lastResult } of accounts) {
    const status = lastResult?.verdict || "none";
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}
