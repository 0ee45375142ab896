import { OUTCOMES } from "../_generated_constants.js";
import { element } from "../dom.js";
import { text as phrase, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { placedNodes } from "../layout/account_name.js";

/** @import { ActionOutcome, ActionView } from "../../_generated_types.js" */

const NAMES_SHOWN = 12;
/** Names that one press on the number of the rest adds. */
const NAMES_MORE = 200;
const OUTCOMES_SHOWN = 200;

/**
 * Planned writes by account, and the accounts that are not changed.
 *
 * @param {import("./change_plan.js").Plan} plan
 * @returns {HTMLElement[]}
 */
export function planNodes({ groups, left, held }) {
  const nodes = groups.map(({ write, accounts }) => element("section", { class: "planned" },
    element("p", { text: phrase(`written.${write}`, { n: accounts.length }) }), nameList(accounts, placedNodes)));
  for (const [reason, same] of Map.groupBy(left, (each) => each.reason)) {
    const said = phrase("plan.not_changed", { n: same.length, reason });
    nodes.push(element("section", { class: "left" }, element("p", { text: said }),
      nameList(same, ({ account }) => placedNodes(account))));
  }
  if (held) nodes.push(element("p", { class: "hint", text: phrase("plan.change_held") }));
  return nodes;
}

/** Id of the summary of a change, which describes the button that closes the dialog. */
export const OUTCOME_ID = "action-outcome";

/**
 * Results of a change: counts by outcome, then each account, failures first.
 *
 * @param {ActionView[]} actions
 * @returns {HTMLElement[]}
 */
export function outcomeNodes(actions) {
  const attributes = { id: OUTCOME_ID };
  if (!actions.length) return [element("p", { text: phrase("plan.nothing"), attributes })];
  const ordered = [...actions].sort((one, other) => placeOf(one) - placeOf(other));
  const nodes = ordered.slice(0, OUTCOMES_SHOWN).map(outcomeNode);
  if (actions.length === 1) return [element("ul", { class: "outcomes", attributes }, ...nodes)];
  const labels = ordered.map(({ outcome }) => outcomeLabel(outcome));
  const counts = [...new Set(labels)].map((known) =>
    phrase("plan.counted", {
      n: labels.filter((label) => label === known).length, outcome: known.toLowerCase(),
    }));
  const more = ordered.length - nodes.length;
  return [
    element("p", { text: `${counts.join(", ")}.`, attributes }), element("ul", { class: "outcomes" }, ...nodes),
    ...(more ? [element("p", { class: "quiet", text: phrase("count.more", { n: more }) })] : []),
  ];
}

/** @param {ActionView} action */
function outcomeNode({ account, displayName, keyHint, place, outcome, text, texts }) {
  const name = placedNodes({ id: account, displayName, keyHint, place });
  const said = reasonsText(texts, text);
  return element("li", { data: { outcome } },
    element("span", { class: "pill", text: outcomeLabel(outcome), data: { tone: toneOfOutcome(outcome) } }),
    element("div", {}, element("b", {}, ...name), said && ` ${said}`));
}

/** @param {ActionView} action */
function placeOf({ outcome }) {
  return ["bad", "neutral", "good"].indexOf(toneOfOutcome(outcome));
}

/** @param {ActionOutcome} outcome */
export function outcomeLabel(outcome) {
  return tokenText("outcome", outcome);
}

/**
 * Tone of an outcome. Its label always carries the same information.
 *
 * @param {ActionOutcome} outcome
 * @returns {"good" | "caution" | "neutral" | "bad"}
 */
export function toneOfOutcome(outcome) {
  return OUTCOMES[outcome] ?? "neutral";
}

/**
 * List of the first names and the number of the rest, which is built when it is asked for.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => (Node | string)[]} nodesOf
 */
export function nameList(items, nodesOf) {
  const list = element("ul", { class: "names", attributes: { tabindex: -1 } });
  appendNames(list, items, NAMES_SHOWN, nodesOf);
  return list;
}

/**
 * @template T
 * @param {HTMLElement} list
 * @param {readonly T[]} items those that are not shown yet
 * @param {number} most
 * @param {(item: T) => (Node | string)[]} nodesOf
 */
function appendNames(list, items, most, nodesOf) {
  list.append(...items.slice(0, most).map((item) => element("li", {}, ...nodesOf(item))));
  const rest = items.slice(most);
  if (!rest.length) return;
  const row = element("li", { class: "quiet" });
  const label = phrase("count.more", { n: rest.length });
  const onMore = () => {
    row.remove();
    appendNames(list, rest, NAMES_MORE, nodesOf);
    const next = list.querySelector("button");
    (next instanceof HTMLElement ? next : list).focus({ preventScroll: true });
  };
  row.append(element("button", { class: "link", text: label, attributes: { type: "button" }, on: { click: onMore } }));
  list.append(row);
}
