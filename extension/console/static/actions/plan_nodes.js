import { OUTCOMES } from "../_generated_constants.js";
import { element } from "../dom.js";
import { accountName, formatCount } from "../formatting.js";

/** @import { ActionOutcome, ActionView } from "../../_generated_types.js" */

const NAMES_SHOWN = 12;
const OUTCOMES_SHOWN = 200;

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
    const text = left.length === 1
      ? "1 account stays as it is:" : `${formatCount(left.length)} accounts stay as they are:`;
    nodes.push(element("section", { class: "left" }, element("p", { text }),
      nameList(left.map(({ account, reason }) => `${accountName(account)}: ${reason}`))));
  }
  return nodes;
}

/** The id of what tells in a few words what came of a change: the button that closes the dialog is described by it. */
export const OUTCOME_ID = "action-outcome";

/**
 * What came of it: how many had which outcome, then each account, what went wrong first.
 *
 * @param {ActionView[]} actions
 * @returns {HTMLElement[]}
 */
export function outcomeNodes(actions) {
  const attributes = { id: OUTCOME_ID };
  if (!actions.length) return [element("p", { text: "There was nothing to do.", attributes })];
  const ordered = [...actions].sort((one, other) => placeOf(one) - placeOf(other));
  const nodes = ordered.slice(0, OUTCOMES_SHOWN).map(outcomeNode);
  if (actions.length === 1) return [element("ul", { class: "outcomes", attributes }, ...nodes)];
  const counts = [...new Set(ordered.map(({ outcome }) => outcome))].map((known) =>
    `${formatCount(ordered.filter(({ outcome }) => outcome === known).length)} ${known}`);
  const more = ordered.length - nodes.length;
  return [
    element("p", { text: `${counts.join(", ")}.`, attributes }), element("ul", { class: "outcomes" }, ...nodes),
    ...(more ? [element("p", { class: "quiet", text: `and ${formatCount(more)} more` })] : []),
  ];
}

/** @param {ActionView} action */
function outcomeNode({ account, displayName, outcome, text }) {
  return element("li", { data: { outcome } },
    element("span", { class: "pill", text: outcome, data: { tone: toneOfOutcome(outcome) } }),
    element("div", {}, element("b", { text: accountName({ id: account, displayName }) }), text && ` ${text}`));
}

/** @param {ActionView} action */
function placeOf({ outcome }) {
  return ["bad", "neutral", "good"].indexOf(toneOfOutcome(outcome));
}

/**
 * How an outcome is coloured; its word always says it as well.
 *
 * @param {ActionOutcome} outcome
 * @returns {"good" | "caution" | "neutral" | "bad"}
 */
export function toneOfOutcome(outcome) {
  return OUTCOMES[outcome]?.tone ?? "neutral";
}

/**
 * Names, the first of them when there are many.
 *
 * @param {string[]} names
 */
export function nameList(names) {
  const list = element("ul", { class: "names" }, ...names.slice(0, NAMES_SHOWN).map((text) => element("li", { text })));
  if (names.length > NAMES_SHOWN) {
    list.append(element("li", { class: "quiet", text: `and ${formatCount(names.length - NAMES_SHOWN)} more` }));
  }
  return list;
}
