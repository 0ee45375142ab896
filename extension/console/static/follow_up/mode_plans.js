import { nameList } from "../actions/plan_nodes.js";
import { element } from "../dom.js";
import { accountName, plural } from "../formatting.js";
import { modeLabel } from "../settings/modes.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

/** @import { ModePlanView, PlannedView, Source } from "../../_generated_types.js" */

const VERBS = { disable: "Disable", enable: "Enable", delete: "Delete" };

/**
 * What each mode would do about a run, and a button to do it.
 *
 * @param {Source} source
 * @param {ModePlanView[]} plans
 * @param {(plan: ModePlanView) => void} onApply
 */
export function modePlans(source, plans, onApply) {
  const rows = plans.filter(({ mode }) => mode !== "none").map((plan) => {
    const apply = smallButton("Apply…", () => onApply(plan), `Apply: ${modeLabel(source, plan.mode)}`);
    apply.disabled = plan.applied.length === 0;
    return [modeLabel(source, plan.mode), countsText(plan.applied), String(plan.held.length), apply];
  });
  return titled("What each strategy would do now",
    paragraph("Nothing of this is done before you apply it. Accounts that were acted on already are left out."),
    listing(["Strategy", "Would do", "Held by the brake", ""], rows));
}

/**
 * What a mode would do, account by account, for a confirmation.
 *
 * @param {PlannedView[]} applied
 */
export function plannedNodes(applied) {
  return Object.entries(VERBS).flatMap(([action, verb]) => {
    const chosen = applied.filter((each) => each.action === action);
    if (!chosen.length) return [];
    const names = chosen.map(({ account, displayName, reason }) =>
      `${accountName({ id: account, displayName })}: ${reason}`);
    const warning = action === "delete" ? " A deleted file cannot be brought back." : "";
    return [element("section", { class: "planned" },
      paragraph(`${verb} ${plural(chosen.length, "account")}.${warning}`), nameList(names))];
  });
}

/** @param {PlannedView[]} applied */
function countsText(applied) {
  const parts = Object.keys(VERBS).flatMap((action) => {
    const count = applied.filter((each) => each.action === action).length;
    return count ? [`${action} ${count}`] : [];
  });
  return parts.join(", ") || "nothing";
}
