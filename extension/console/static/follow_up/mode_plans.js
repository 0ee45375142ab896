import { nameList } from "../actions/plan_nodes.js";
import { element } from "../dom.js";
import { formatCount } from "../formatting.js";
import { modeLabel } from "../settings/modes.js";
import { listing, ownWords, paragraph, smallButton, titled } from "./listing.js";
import { text, tokenText } from "../language/catalogue.js";
import { holdText, reasonsText } from "../language/reasons.js";
import { placedNodes } from "../layout/account_name.js";

/** @import { ModePlanView, PlannedView, Source } from "../../_generated_types.js" */

const REASONS_SHOWN = 3;
const ACTIONS = /** @type {const} */ (["disable", "enable", "delete"]);

/**
 * Plan of each automatic mode for a run, with a button that applies it.
 *
 * @param {Source} source
 * @param {ModePlanView[]} plans
 * @param {(plan: ModePlanView) => void} onApply
 */
export function modePlans(source, plans, onApply) {
  const rows = plans.filter(({ mode }) => mode !== "none").map((plan) => {
    const apply = smallButton(text("plans.apply"), () => onApply(plan),
      text("plans.apply_mode", { mode: modeLabel(source, plan.mode) }));
    apply.disabled = plan.applied.length + plan.held.length === 0;
    const counts = element("span", { class: "counts", text: countsText(plan.applied) || text("plans.none") });
    const mode = ownWords(modeLabel(source, plan.mode));
    return [mode, counts, formatCount(plan.held.length), leftNode(plan), apply];
  });
  return titled(text("plans.title"), paragraph(text("plans.hint")),
    listing([text("plans.mode"), text("plans.actions"), text("plans.on_hold"), text("plans.not_changed"), ""], rows));
}

/**
 * Confirmation text of a plan, account by account.
 *
 * @param {PlannedView[]} applied
 */
export function plannedNodes(applied) {
  return ACTIONS.flatMap((action) => {
    const chosen = applied.filter((each) => each.action === action);
    if (!chosen.length) return [];
    const kept = action === "delete" ? [text("plans.kept")] : [];
    return [element("section", { class: "planned" },
      paragraph([text(`plans.${action}`, { n: chosen.length }), ...kept].join(" ")), nameList(chosen, named))];
  });
}

/** @param {PlannedView} planned */
function named({ account, displayName, keyHint, place, reason, reasons }) {
  return [...placedNodes({ id: account, displayName, keyHint, place }), `: ${reasonsText(reasons, reason)}`];
}

/**
 * A line for each kind of account that the plan leaves as it is.
 *
 * @param {ModePlanView} plan
 */
function leftNode({ refused, already, notEnabled }) {
  const groups = { refused, already, not_enabled: notEnabled };
  const lines = Object.entries(groups).flatMap(([group, entries]) => {
    if (!entries.length) return [];
    const reasons = [...new Set(entries.map((entry) => holdText(entry, entry.against)))];
    const key = /** @type {"refused" | "already" | "not_enabled"} */ (group);
    return [paragraph(
      text(`plans.left_${key}`, { n: entries.length, reasons: reasons.slice(0, REASONS_SHOWN).join(" ") }))];
  });
  return element("div", {}, ...lines);
}

/**
 * Number of changes by action.
 *
 * @param {PlannedView[]} applied
 */
export function countsText(applied) {
  const parts = ACTIONS.flatMap((action) => {
    const count = applied.filter((each) => each.action === action).length;
    return count ? [text("plans.count", { action: tokenText("action", action), n: count })] : [];
  });
  return parts.join(", ");
}
