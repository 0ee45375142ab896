import { nameList } from "../actions/plan_nodes.js";
import { element } from "../dom.js";
import { accountName, plural } from "../formatting.js";
import { modeLabel } from "../settings/modes.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

/** @import { ModePlanView, PlannedView, Source } from "../../_generated_types.js" */

const REASONS_SHOWN = 3;
const VERBS = { disable: "Disable", enable: "Enable", delete: "Delete" };

/**
 * Plan of each automatic mode for a run, with a button that applies it.
 *
 * @param {Source} source
 * @param {ModePlanView[]} plans
 * @param {(plan: ModePlanView) => void} onApply
 */
export function modePlans(source, plans, onApply) {
  const rows = plans.filter(({ mode }) => mode !== "none").map((plan) => {
    const apply = smallButton("Apply…", () => onApply(plan), `Apply: ${modeLabel(source, plan.mode)}`);
    apply.disabled = plan.applied.length + plan.held.length === 0;
    return [modeLabel(source, plan.mode), countsText(plan.applied), String(plan.held.length), leftText(plan), apply];
  });
  return titled("Plans by mode",
    paragraph("Nothing changes until you apply a plan. Accounts that were already changed are not included."),
    listing(["Mode", "Actions", "On hold", "Not changed", ""], rows));
}

/**
 * Confirmation text of a plan, account by account.
 *
 * @param {PlannedView[]} applied
 */
export function plannedNodes(applied) {
  return Object.entries(VERBS).flatMap(([action, verb]) => {
    const chosen = applied.filter((each) => each.action === action);
    if (!chosen.length) return [];
    const names = chosen.map(({ account, displayName, keyHint, reason }) =>
      `${accountName({ id: account, displayName, keyHint })}: ${reason}`);
    const warning = action === "delete" ? " Each deleted file is kept for 30 days (poolkeeper account restore)." : "";
    return [element("section", { class: "planned" },
      paragraph(`${verb} ${plural(chosen.length, "account")}.${warning}`), nameList(names))];
  });
}

/** @param {ModePlanView} plan */
function leftText({ refused, already, notEnabled }) {
  const groups = { refused, "already so": already, "not enabled": notEnabled };
  const texts = Object.entries(groups).flatMap(([label, entries]) => {
    if (!entries.length) return [];
    const reasons = [...new Set(entries.map(({ against }) => against))];
    return [`${entries.length} ${label}: ${reasons.slice(0, REASONS_SHOWN).join(" ")}`];
  });
  return texts.join("; ");
}

/** @param {PlannedView[]} applied */
function countsText(applied) {
  const parts = Object.keys(VERBS).flatMap((action) => {
    const count = applied.filter((each) => each.action === action).length;
    return count ? [`${action} ${count}`] : [];
  });
  return parts.join(", ") || "none";
}
