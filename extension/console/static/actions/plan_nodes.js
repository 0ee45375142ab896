import { element } from "../dom.js";
import { accountName } from "../formatting.js";

const NAMES_SHOWN = 12;

/**
 * What will be written where, and what stays as it is.
 *
 * @param {import("./change_plan.js").Plan} plan
 * @returns {HTMLElement[]}
 */
export function planNodes({ groups, left }) {
  const nodes = groups.map(({ text, accounts }) => element("section", { class: "planned" },
    element("p", { text }), nameList(accounts.map(accountName))));
  if (left.length) {
    const text = left.length === 1 ? "1 account stays as it is:" : `${left.length} accounts stay as they are:`;
    nodes.push(element("section", { class: "left" }, element("p", { text }),
      nameList(left.map(({ account, reason }) => `${accountName(account)}: ${reason}`))));
  }
  return nodes;
}

/**
 * What came of each account.
 *
 * @param {{account: number, displayName: string, outcome: string, text: string}[]} actions
 */
export function outcomeNodes(actions) {
  if (!actions.length) return element("p", { text: "There was nothing to do." });
  return element("ul", { class: "outcomes" }, ...actions.map(({ account, displayName, outcome, text }) =>
    element("li", { data: { outcome } },
      element("span", { class: "pill", text: outcome, data: { tone: toneOfOutcome(outcome) } }),
      element("div", {}, element("b", { text: accountName({ id: account, displayName }) }), text && ` ${text}`))));
}

/**
 * How an outcome is coloured; its word always says it as well.
 *
 * @param {string} outcome
 */
export function toneOfOutcome(outcome) {
  if (outcome === "applied") return "good";
  return outcome === "unchanged" || outcome === "pending" ? "neutral" : "bad";
}

/**
 * Names, the first of them when there are many.
 *
 * @param {string[]} names
 */
export function nameList(names) {
  const list = element("ul", { class: "names" }, ...names.slice(0, NAMES_SHOWN).map((text) => element("li", { text })));
  if (names.length > NAMES_SHOWN) {
    list.append(element("li", { class: "quiet", text: `and ${names.length - NAMES_SHOWN} more` }));
  }
  return list;
}
